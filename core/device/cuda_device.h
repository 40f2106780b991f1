// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_DEVICE_CUDA_DEVICE_H_
#define SLUICE_CORE_DEVICE_CUDA_DEVICE_H_

#include <cuda_runtime_api.h>

#include <functional>
#include <memory>
#include <string>

#include "core/device/cuda_pinned_memory.h"
#include "core/runtime/device.h"

namespace sluice::cuda {

struct CudaDeviceOptions {
  DeviceAttributes attributes;  // memory_limit is the limit of the device's memory
  int ordinal = 0;              // the runtime's number of the GPU
  bool allow_growth = false;    // regions have the size of requests, and do not double
  bool blocking = false;        // Run waits for the kernel, so that its error names its node
  RefPtr<PinnedMemory> pinned;
  std::function<void(const absl::Status&)> on_lost;  // GpuOptions::on_lost
  WorkQueue* pool = nullptr;                         // intra-op; may be null
};

// A GPU with three streams: kernels and small copies, copies in, copies out.
//
// Errors:   after a sticky error of CUDA every call gives the message of that error.
absl::StatusOr<std::unique_ptr<Device>> CreateCudaDevice(CudaDeviceOptions options);

// The compute stream. Kernels enqueue on it and never wait for it.
// REQUIRES: a GPU's device.
cudaStream_t StreamOf(const Device& device);
// The runtime's number of the GPU.
// REQUIRES: a GPU's device.
int OrdinalOf(const Device& device);

// The NUMA node of a PCI device, its id as in "0000:01:00.0"; 0 if the kernel knows none.
// `folder` is where the kernel describes the devices.
int NumaNode(const std::string& bus_id, const std::string& folder = "/sys/bus/pci/devices");

}  // namespace sluice::cuda

#endif  // SLUICE_CORE_DEVICE_CUDA_DEVICE_H_
