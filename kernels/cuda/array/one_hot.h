// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_ARRAY_ONE_HOT_H_
#define SLUICE_KERNELS_CUDA_ARRAY_ONE_HOT_H_

#include "kernels/cuda/common/rows.h"

namespace sluice::cuda {

// out[o, d, i] = indices[o, i] == d ? *on : *off, for out of shape [outer, depth, inner]. Elements
// of 1, 2, 4, 8 or 16 bytes; `on` and `off` are on the GPU. Indices may be uint8 too.
cudaError_t LaunchOneHot(int element_size, Indices indices, int64_t outer, int64_t depth,
                         int64_t inner, const void* on, const void* off, void* out,
                         cudaStream_t stream);

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_ARRAY_ONE_HOT_H_
