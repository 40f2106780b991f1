// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_DEVICE_CUDA_DEVICE_H_
#define SLUICE_CORE_DEVICE_CUDA_DEVICE_H_

#include <cuda_runtime_api.h>

#include "core/runtime/device.h"

namespace sluice::cuda {

// The compute stream. Kernels enqueue on it; they never wait for it. REQUIRES: a GPU's device.
cudaStream_t StreamOf(const Device& device);

}  // namespace sluice::cuda

#endif  // SLUICE_CORE_DEVICE_CUDA_DEVICE_H_
