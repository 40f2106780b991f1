// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_DEVICE_CUDA_STATUS_H_
#define SLUICE_CORE_DEVICE_CUDA_STATUS_H_

#include <cuda_runtime_api.h>

#include "core/status.h"

namespace sluice::cuda {

// The Status of a call of the CUDA runtime. `doing` is the purpose of the call: "allocating 4096
// bytes". The message has CUDA's name and text of the error.
//
// Errors:   RESOURCE_EXHAUSTED for device or pinned memory; UNAVAILABLE, with a hint, if the driver
//           or the GPU cannot be used; INTERNAL for other errors.
absl::Status ToStatus(cudaError_t error, absl::string_view doing);

// True if no call can succeed in this process after the error: the GPU's context is lost.
bool IsSticky(cudaError_t error);

}  // namespace sluice::cuda

#endif  // SLUICE_CORE_DEVICE_CUDA_STATUS_H_
