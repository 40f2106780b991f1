// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_ARRAY_SLICE_PLAN_H_
#define SLUICE_KERNELS_COMMON_ARRAY_SLICE_PLAN_H_

#include "core/op/node_spec.h"
#include "core/tensor/tensor.h"
#include "kernels/common/strided_copy.h"

namespace sluice::kernels {

// The mask attributes of StridedSlice and similar ops: one bit per entry of begin, end and strides.
struct SliceMasks {
  int64_t begin = 0, end = 0, ellipsis = 0, new_axis = 0, shrink_axis = 0;
  static absl::StatusOr<SliceMasks> Create(const NodeSpec& node);
};

// A slice a[begin:end:stride, ..., newaxis, index] of a tensor of known shape, resolved.
struct SlicePlan {
  CopyDims dims;       // per input dimension: size, step in the input, step in a dense result
  int64_t offset = 0;  // of the first element in the input
  Shape shape;         // of the result: new axes put in, shrunk ones taken out
  bool whole = true;   // every element, in order

  static absl::StatusOr<SlicePlan> Make(const Shape& input, const Tensor& begin, const Tensor& end,
                                        const Tensor& strides, const SliceMasks& masks);
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_ARRAY_SLICE_PLAN_H_
