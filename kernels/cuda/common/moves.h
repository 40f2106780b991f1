// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_COMMON_MOVES_H_
#define SLUICE_KERNELS_CUDA_COMMON_MOVES_H_

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/cuda/common/layout.h"

// Launches that move elements of 1, 2, 4, 8 or 16 bytes and do not look at them.

namespace sluice::cuda {

// Sets n elements to the one at `value`, which is in host memory and read before the call returns.
cudaError_t LaunchFill(int element_size, const void* value, void* to, int64_t n,
                       cudaStream_t stream);

// One loop of a copy, as in kernels/common/strided_copy.h: steps in elements.
struct CopyLoop {
  int64_t size, from, to;
};
// to[sum i_d * loops[d].to] = from[sum i_d * loops[d].from]. The loops are simplified: no loop of
// one step, and no neighbours that are one. A transposition goes by squares in shared memory.
// REQUIRES: 1 <= count <= Layout<2>::kMaxRank; every size > 0
cudaError_t LaunchStridedCopy(int element_size, const CopyLoop* loops, int count, const void* from,
                              void* to, cudaStream_t stream);

// One part of each row of a result.
struct RowPart {
  const void* from;  // dense: `size` elements for each row; null: zeros
  int64_t size;      // > 0
};
// Each row of `to` is that row of each part, one behind the other. `width` is the sum of the sizes.
cudaError_t LaunchJoin(int element_size, const RowPart* parts, int64_t count, int64_t rows,
                       int64_t width, void* to, cudaStream_t stream);

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_COMMON_MOVES_H_
