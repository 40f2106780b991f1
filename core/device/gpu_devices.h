// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_DEVICE_GPU_DEVICES_H_
#define SLUICE_CORE_DEVICE_GPU_DEVICES_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/runtime/device.h"

namespace sluice {

// The GPUs of a task, and how it uses them.
struct GpuOptions {
  // "all", "none", or the driver's numbers: "0,2" makes GPU:0 and GPU:1 of a task.
  std::string visible = "all";
  double memory_fraction = 0;  // of each GPU's memory; 0: the free memory, minus a reserve
  int64_t memory_limit = 0;    // bytes of each GPU; 0: none. The smaller of the two bounds counts.
  bool allow_growth = false;   // take memory in the sizes of requests, without doubling
  bool blocking = false;       // wait after each kernel, so that its error names its node
  // Folders of NVIDIA's libraries, separated by colons; empty: those of the loader.
  std::string libraries = "";
  int64_t pinned_limit = 0;  // bytes of pinned host memory; 0: an eighth of the memory, up to 4 GiB
  int most = -1;             // devices; negative: no bound
  bool required = false;     // the task does not start without its GPUs
  // Called once for each GPU that is lost: a CUDA error after which no call in this process
  // succeeds. `why` has that error and the node at which it was seen. Runs on any thread, and must
  // not block or use a device. A lost GPU answers every later call with `why`.
  std::function<void(const absl::Status& why)> on_lost = nullptr;

  // `visible` is a list of numbers.
  bool listed() const { return visible != "all" && visible != "none"; }
};

// INVALID_ARGUMENT names the value out of range.
absl::Status CheckGpuOptions(const GpuOptions& options);
// The numbers in GpuOptions::visible. REQUIRES: listed() and a good CheckGpuOptions.
std::vector<int> VisibleGpus(const GpuOptions& options);

// The GPUs of this machine as devices of a task: <task>/device:GPU:0 and so on. Empty for "none".
//
// Errors:   UNAVAILABLE, with the reason and a hint, if the machine lacks a driver or a usable GPU,
//           or the build lacks CUDA. INVALID_ARGUMENT if the options are wrong, or name a GPU that
//           does not exist.
absl::StatusOr<std::vector<std::unique_ptr<Device>>> CreateGpuDevices(const GpuOptions& options,
                                                                      absl::string_view task_name,
                                                                      WorkQueue* pool);
// The names of this process's GPUs whose streams have work that is not done. Does not wait.
std::vector<std::string> BusyGpus();

}  // namespace sluice

#endif  // SLUICE_CORE_DEVICE_GPU_DEVICES_H_
