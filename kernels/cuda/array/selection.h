// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_ARRAY_SELECTION_H_
#define SLUICE_KERNELS_CUDA_ARRAY_SELECTION_H_

#include "kernels/cuda/common/rows.h"

// Launches for ops whose results are as long as their data says: first count, then sum the counts
// up, then write where the sums say. Orders are those of the input.

namespace sluice::cuda {

// counts[i] becomes the sum of those before it, and counts[n] that of all. By one block.
cudaError_t LaunchSumBefore(int64_t* counts, int64_t n, cudaStream_t stream);

// For each piece of kSelectionPiece elements, how many are not zero.
constexpr int64_t kSelectionPiece = 4096;
cudaError_t LaunchCountNonZero(Element element, const void* x, int64_t n, int64_t* counts,
                               cudaStream_t stream);
// The coordinates of the elements that are not zero, as rows of int64 [rank]; `before` has the
// counts of the pieces summed up.
struct ArrayShape {
  static constexpr int kMaxRank = 32;
  int32_t rank;
  int64_t dims[kMaxRank];
};
cudaError_t LaunchWriteNonZero(Element element, const void* x, int64_t n, const int64_t* before,
                               const ArrayShape& shape, int64_t* rows, cudaStream_t stream);

// For each part p, and each piece c of kPartitionPiece numbers, how often p is in the piece:
// counts[p * pieces + c]. A number that is no part is left out. `counts` are zero before.
constexpr int64_t kPartitionPiece = 256;
cudaError_t LaunchCountParts(const int32_t* parts, int64_t n, int64_t part_count, int64_t* counts,
                             cudaStream_t stream);
// starts[p] = counts[p * pieces] for each part and the end, where counts are summed up.
cudaError_t LaunchPartStarts(const int64_t* counts, int64_t part_count, int64_t pieces,
                             int64_t* starts, cudaStream_t stream);
// order[k] is the place of the k-th number when all are sorted by part. `before` has the counts
// summed up, and is used up.
cudaError_t LaunchPartOrder(const int32_t* parts, int64_t n, int64_t part_count, int64_t* before,
                            int64_t* order, cudaStream_t stream);

// Row r of out is the `inner` elements at the address sources[r]; zeros where that is 0.
cudaError_t LaunchRowsFrom(int element_size, const uint64_t* sources, int64_t rows, int64_t inner,
                           void* out, cudaStream_t stream);

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_ARRAY_SELECTION_H_
