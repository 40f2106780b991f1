// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_MATH_PLAN_H_
#define SLUICE_KERNELS_COMMON_MATH_PLAN_H_

#include <optional>
#include <string>

#include "absl/container/inlined_vector.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/common/broadcast.h"

// Checks, result shapes and error texts of the ops in kernels/<device>/math, common to all devices.
// The values of axes and counts are in host memory; other values are not read.

namespace sluice::kernels {

// "add1 of type AddN", for errors.
std::string NodeLabel(const NodeSpec& node);

// The rule for the operands of an element-wise op of two arguments. Made once per node.
struct OperandRule {
  std::string same_shape;  // does not broadcast (gradients of activations): the node's label
  bool any_shape = false;  // for incompatible shapes, the result is the scalar `unequal`
  bool unequal = false;

  // `any_shape`: the op is Equal or NotEqual, whose attribute incompatible_shape_error decides.
  static OperandRule Create(const NodeSpec& node, bool same_shape, bool any_shape);
  // The broadcast of operands of different shapes. nullopt: the result is `unequal`.
  absl::StatusOr<std::optional<BroadcastPlan>> Meet(const Shape& a, const Shape& b) const;
};

// Select: the condition has the shape of the values, is a scalar, or is a vector that selects rows.
absl::StatusOr<BroadcastPlan> PlanSelect(const std::string& label, const Shape& condition,
                                         const Shape& then, const Shape& otherwise);
// SelectV2: all three broadcast.
absl::StatusOr<BroadcastPlan> PlanSelectV2(const Shape& condition, const Shape& then,
                                           const Shape& otherwise);
// ClipByValue: bounds are scalars or have the shape of the values.
absl::Status CheckClip(const Shape& x, const Shape& low, const Shape& high);
// AddN: every input has the shape of the first.
absl::Status CheckSameShapes(const std::string& label, const KernelContext& ctx);

// The axes to reduce, and the result's shape. Negative axes count from the end.
struct ReducedAxes {
  absl::InlinedVector<bool, 8> reduced;
  Shape output;
  static absl::StatusOr<ReducedAxes> Parse(const Shape& input, const Tensor& axes, bool keep_dims);
};

// ArgMax, ArgMin.
struct ArgReductionPlan {
  int axis = 0;
  Shape output;
};
absl::StatusOr<ArgReductionPlan> PlanArgReduction(const Shape& input, const Tensor& dimension);

// Cumsum and similar ops: the axis, counted from the front.
absl::StatusOr<int> ScanAxis(const Shape& input, const Tensor& axis);

// SegmentSum and similar ops: ids are a vector with the size of the data's dimension 0.
absl::Status CheckSegmentShapes(const Shape& data, const Shape& ids);
absl::StatusOr<Shape> SegmentShape(const Shape& data, int64_t segments);

// UnsortedSegmentSum and similar ops.
struct UnsortedSegmentPlan {
  int64_t segments = 0;
  int64_t inner = 1;  // elements of a row
  Shape output;
};
absl::StatusOr<UnsortedSegmentPlan> PlanUnsortedSegment(const Shape& data, const Shape& ids,
                                                        const Tensor& num_segments);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_MATH_PLAN_H_
