#ifndef SLUICE_WORKER_SERVICE_TASK_OPTIONS_H_
#define SLUICE_WORKER_SERVICE_TASK_OPTIONS_H_

#include <string>
#include <vector>

#include "core/device.h"
#include "core/kernel_registry.h"
#include "worker_service/executable.h"

namespace sluice::worker {

// What compiling a graph has to know of the task it runs on: Executable::Options without `kernel`.
// `device_names` are the devices' names as the session knows them. What is pointed to outlives the
// options.
Executable::Options TaskOptions(const std::string& task, const std::vector<Device*>& devices,
                                std::vector<std::string> device_names,
                                const KernelRegistry& kernels);

// A node that names no container keeps its resource in `container`.
void SetDefaultContainer(const std::string& container, NodeSpec& node);

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_TASK_OPTIONS_H_
