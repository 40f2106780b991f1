// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_COMMON_ROWS_H_
#define SLUICE_KERNELS_CUDA_COMMON_ROWS_H_

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/cuda/common/element.h"

// Launches that read or write slices of an array where indices say. A GPU cannot report an index
// that is out of range: what is read there is zeros, what is written there is dropped.

namespace sluice::cuda {

// An array of uint8, int16, int32 or int64.
struct Indices {
  const void* data;
  int bytes;  // of one
};

// Positions of slices: each is `depth` indices, one for each of the leading dimensions of an array.
struct SlicePositions {
  static constexpr int kMaxDepth = 32;
  Indices indices;
  int64_t count;            // of positions
  int32_t depth;            // at most kMaxDepth
  int64_t dims[kMaxDepth];  // the sizes of these dimensions
};

// params are [batch, outer, limit, inner], indices [batch, picks], out is [batch, outer, picks,
// inner]. Elements of 1, 2, 4, 8 or 16 bytes.
struct GatherShape {
  int64_t batch, outer, limit, inner, picks;
};
cudaError_t LaunchGatherRows(int element_size, const void* params, Indices indices,
                             const GatherShape& shape, void* out, cudaStream_t stream);
// Slice i of out is the `inner` elements at position i of params.
cudaError_t LaunchGatherSlices(int element_size, const void* params,
                               const SlicePositions& positions, int64_t inner, void* out,
                               cudaStream_t stream);

// How an element that is written meets the one that is there.
enum class Meeting : uint8_t { kAdd, kSub, kMul, kDiv, kMin, kMax };

// The slices of `inner` elements at the positions become those of updates, or its one element if
// `scalar`. Of repeated positions one wins.
cudaError_t LaunchReplaceSlices(int element_size, void* to, const SlicePositions& positions,
                                int64_t inner, const void* updates, bool scalar,
                                cudaStream_t stream);
// The same, but each element meets what is there, one after the other where positions repeat. The
// order of those is not fixed. Complex numbers: kAdd and kSub only.
cudaError_t LaunchUpdateSlices(Element element, Meeting how, void* to,
                               const SlicePositions& positions, int64_t inner, const void* updates,
                               bool scalar, cudaStream_t stream);
// Each of n elements of `to` meets that of `value`: kAdd and kSub only.
cudaError_t LaunchUpdate(Element element, Meeting how, void* to, const void* value, int64_t n,
                         cudaStream_t stream);

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_COMMON_ROWS_H_
