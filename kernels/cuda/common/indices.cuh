// SPDX-License-Identifier: Apache-2.0
// Reads of indices and positions in device code.
#ifndef SLUICE_KERNELS_CUDA_COMMON_INDICES_CUH_
#define SLUICE_KERNELS_CUDA_COMMON_INDICES_CUH_

#include <cuda_runtime.h>

#include "kernels/cuda/common/rows.h"

namespace sluice::cuda {

__device__ inline int64_t IndexAt(Indices indices, int64_t i) {
  switch (indices.bytes) {
    case 1:
      return static_cast<const uint8_t*>(indices.data)[i];
    case 2:
      return static_cast<const int16_t*>(indices.data)[i];
    case 4:
      return static_cast<const int32_t*>(indices.data)[i];
    default:
      return static_cast<const int64_t*>(indices.data)[i];
  }
}

// Which slice of the array position i names; -1 if it is none.
__device__ inline int64_t SliceAt(const SlicePositions& positions, int64_t i) {
  int64_t slice = 0;
  for (int d = 0; d < positions.depth; ++d) {
    const int64_t at = IndexAt(positions.indices, i * positions.depth + d);
    if (at < 0 || at >= positions.dims[d]) return -1;
    slice = slice * positions.dims[d] + at;
  }
  return slice;
}

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_COMMON_INDICES_CUH_
