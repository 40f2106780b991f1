// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_MATH_CAST_H_
#define SLUICE_KERNELS_CUDA_MATH_CAST_H_

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/cuda/common/element.h"

namespace sluice::cuda {

// y[i] = x[i] as another type, for n elements. A number that an integer cannot hold gives the same
// result as the CPU's kernel. `truncate`: bits that half or bfloat16 lack are dropped; else the
// number is rounded. y is not x.
cudaError_t LaunchCast(Element from, Element to, bool truncate, const void* x, void* y, int64_t n,
                       cudaStream_t stream);

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_MATH_CAST_H_
