// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_ARRAY_ONE_HOT_PLAN_H_
#define SLUICE_KERNELS_COMMON_ARRAY_ONE_HOT_PLAN_H_

#include "core/tensor/tensor.h"

namespace sluice::kernels {

// The result of OneHot is [outer, depth, inner], its indices are [outer, inner].
struct OneHotPlan {
  int64_t outer = 1, depth = 0, inner = 1;
  Shape shape;  // of the result

  // `depth` is on the host; only the shapes of the two values are read.
  static absl::StatusOr<OneHotPlan> Make(const Shape& indices, const Tensor& depth, const Shape& on,
                                         const Shape& off, int64_t axis);
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_ARRAY_ONE_HOT_PLAN_H_
