// SPDX-License-Identifier: Apache-2.0
// Replaces the other cuda_* files if the build found no CUDA toolkit.
#include "core/device/gpu_devices.h"

namespace sluice {

absl::StatusOr<std::vector<std::unique_ptr<Device>>> CreateGpuDevices(const GpuOptions& options,
                                                                      absl::string_view /*task*/,
                                                                      WorkQueue* /*pool*/) {
  SLUICE_RETURN_IF_ERROR(CheckGpuOptions(options));
  if (options.visible == "none") return std::vector<std::unique_ptr<Device>>();
  return Unavailable("this build has no CUDA: build it where the CUDA toolkit is installed");
}

std::vector<std::string> BusyGpus() { return {}; }

}  // namespace sluice
