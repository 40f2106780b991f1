// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_TASK_OPTIONS_H_
#define SLUICE_WORKER_SERVICE_TASK_OPTIONS_H_

#include <string>
#include <vector>

#include "core/runtime/device.h"
#include "core/runtime/kernel_registry.h"
#include "worker_service/executable.h"

namespace sluice::worker {

// The rules for every session of a task.
struct TaskRules {
  std::string default_container;  // container of the resources of nodes without the attribute
  // A step gives the same values in every run. Its nodes run one at a time, in a fixed order of the
  // graph. Random nodes without a seed get one from their device and name. The arrival order of
  // values from other tasks and waiting ops is not fixed.
  bool deterministic = false;
};

// The task's part of the options for compiling a graph: Executable::Options without `kernel`.
// `device_names` are the names of the devices in the session. All pointers outlive the options.
Executable::Options TaskOptions(const std::string& task, const std::vector<Device*>& devices,
                                std::vector<std::string> device_names,
                                const KernelRegistry& kernels, const TaskRules& rules);

// The op of a node and the types of its inputs and outputs. A kernel that several nodes share
// serves only those that agree in them.
std::string InterfaceOf(const NodeSpec& node);

// The attributes from which the kernel of a node is made.
void ApplyRules(const TaskRules& rules, NodeSpec& node);

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_TASK_OPTIONS_H_
