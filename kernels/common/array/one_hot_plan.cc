// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/array/one_hot_plan.h"

#include "kernels/common/axis.h"

namespace sluice::kernels {

absl::StatusOr<OneHotPlan> OneHotPlan::Make(const Shape& indices, const Tensor& depth,
                                            const Shape& on, const Shape& off, int64_t axis) {
  const int rank = indices.rank() + 1;
  if (axis != -1 && (axis < 0 || axis >= rank)) {
    return InvalidArgument("Expected axis to be -1 or between [0, ", rank,
                           ").  But received: ", axis);
  }
  if (depth.rank() != 0) return InvalidArgument("depth must be a scalar, but got: ", depth.shape());
  if (on.rank() != 0) return InvalidArgument("on_value must be a scalar, but got: ", on);
  if (off.rank() != 0) return InvalidArgument("off_value must be a scalar, but got: ", off);
  OneHotPlan plan;
  SLUICE_ASSIGN(plan.depth, IntScalar(depth));
  if (plan.depth < 0) return InvalidArgument("depth must be non-negative, got: ", plan.depth);
  const int at = axis == -1 ? rank - 1 : static_cast<int>(axis);
  Shape::Dims sizes(indices.dims().begin(), indices.dims().end());
  sizes.insert(sizes.begin() + at, plan.depth);
  SLUICE_ASSIGN(plan.shape, Shape::Create(sizes));
  plan.outer = ProductOf(plan.shape, 0, at);
  plan.inner = AxisView(plan.shape, at).inner;
  return plan;
}

}  // namespace sluice::kernels
