// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_MATH_SEGMENT_H_
#define SLUICE_KERNELS_CUDA_MATH_SEGMENT_H_

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/common/element.h"

namespace sluice::cuda {

enum class SegmentOp : uint8_t { kSum, kProd, kMax, kMin };

struct SegmentSizes {
  int64_t rows;      // of the data
  int64_t inner;     // elements of a row
  int64_t segments;  // rows of the result
};

// Row ids[r] of out combines row r of the data, in any order of the rows: sums of floating numbers
// may differ in their last digits from run to run, as TensorFlow's do. A row whose id is not in
// [0, segments) is dropped. A segment without rows holds 0, 1, or the type's lowest or highest
// number. Elements: floating, int32; complex for kSum. `index` is int32 or int64. `workspace` has
// UnsortedSegmentWorkspace bytes, aligned to 16.
size_t UnsortedSegmentWorkspace(Element element, const SegmentSizes& sizes);
cudaError_t LaunchUnsortedSegment(SegmentOp op, Element element, Element index,
                                  const SegmentSizes& sizes, const void* data, const void* ids,
                                  void* out, void* workspace, cudaStream_t stream);

// The same sum for ids that never fall, from the first row to the last. Elements: floating.
cudaError_t LaunchSegmentSum(Element element, Element index, const SegmentSizes& sizes,
                             const void* data, const void* ids, void* out, cudaStream_t stream);

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_MATH_SEGMENT_H_
