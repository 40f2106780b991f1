#ifndef SLUICE_WORKER_SERVICE_TASK_OPTIONS_H_
#define SLUICE_WORKER_SERVICE_TASK_OPTIONS_H_

#include <string>
#include <vector>

#include "core/device.h"
#include "core/kernel_registry.h"
#include "worker_service/executable.h"

namespace sluice::worker {

// What every session of a task keeps to.
struct TaskRules {
  std::string default_container;  // where resources of nodes that name none live
  // A step gives the same values whenever it runs: its nodes run one after the other, in an order of
  // the graph's, and those that draw random numbers without a seed have one of their device and
  // name. What comes from other tasks, or is waited for, comes when it comes.
  bool deterministic = false;
};

// What compiling a graph has to know of the task it runs on: Executable::Options without `kernel`.
// `device_names` are the devices' names as the session knows them. What is pointed to outlives the
// options.
Executable::Options TaskOptions(const std::string& task, const std::vector<Device*>& devices,
                                std::vector<std::string> device_names,
                                const KernelRegistry& kernels, const TaskRules& rules);

// The attributes with which the kernel of a node is made.
void ApplyRules(const TaskRules& rules, NodeSpec& node);

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_TASK_OPTIONS_H_
