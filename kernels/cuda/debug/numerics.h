// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_DEBUG_NUMERICS_H_
#define SLUICE_KERNELS_CUDA_DEBUG_NUMERICS_H_

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/cuda/common/element.h"

namespace sluice::cuda {

constexpr uint32_t kFoundNan = 1, kFoundInfinity = 2;

// *found |= what there is among n elements of x. Elements: floating.
cudaError_t LaunchFindNonFinite(Element element, const void* x, int64_t n, uint32_t* found,
                                cudaStream_t stream);

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_DEBUG_NUMERICS_H_
