// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_MATH_ARG_REDUCTION_H_
#define SLUICE_KERNELS_CUDA_MATH_ARG_REDUCTION_H_

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/cuda/common/element.h"

namespace sluice::cuda {

// x is [outer, size, inner]; out[o, i] is the index of the first largest (smallest) of x[o, :, i].
// NaN is ignored; if all are NaN, the index is 0. x is floating, out int32 or int64.
// REQUIRES: size >= 1
cudaError_t LaunchArgReduction(bool greatest, Element element, Element index, const void* x,
                               int64_t outer, int64_t size, int64_t inner, void* out,
                               cudaStream_t stream);

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_MATH_ARG_REDUCTION_H_
