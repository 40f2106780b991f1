// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_MATH_PLAN_H_
#define SLUICE_KERNELS_COMMON_MATH_PLAN_H_

#include <optional>
#include <string>

#include "absl/container/inlined_vector.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/common/broadcast.h"

// What the ops of kernels/<device>/math check, which shape they answer and how they word an error:
// once, for every device. The values of axes and counts are in host memory; others are not read.

namespace sluice::kernels {

// "add1 of type AddN", for errors.
std::string NodeLabel(const NodeSpec& node);

// What the operands of an element-wise op of two arguments may be. Made once per node.
struct OperandRule {
  std::string same_shape;  // no broadcasting (gradients of activations): the node's label
  bool any_shape = false;  // incompatible shapes have an answer: the scalar `unequal`
  bool unequal = false;

  // `any_shape`: the op is Equal or NotEqual, whose attribute incompatible_shape_error decides.
  static OperandRule Create(const NodeSpec& node, bool same_shape, bool any_shape);
  // How operands of different shapes meet. nullopt: the answer is `unequal`.
  absl::StatusOr<std::optional<BroadcastPlan>> Meet(const Shape& a, const Shape& b) const;
};

// Select: the condition has the shape of the values, is a scalar, or a vector that chooses rows.
absl::StatusOr<BroadcastPlan> PlanSelect(const std::string& label, const Shape& condition,
                                         const Shape& then, const Shape& otherwise);
// SelectV2: the three broadcast.
absl::StatusOr<BroadcastPlan> PlanSelectV2(const Shape& condition, const Shape& then,
                                           const Shape& otherwise);
// ClipByValue: bounds are scalars or have the shape of the values.
absl::Status CheckClip(const Shape& x, const Shape& low, const Shape& high);
// AddN: every input has the shape of the first.
absl::Status CheckSameShapes(const std::string& label, const KernelContext& ctx);

// Which axes to reduce, and the result's shape. Negative axes count from the end.
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

// Cumsum and its like: the axis, counted from the front.
absl::StatusOr<int> ScanAxis(const Shape& input, const Tensor& axis);

// SegmentSum and its like: ids are a vector as long as dimension 0 of the data.
absl::Status CheckSegmentShapes(const Shape& data, const Shape& ids);
absl::StatusOr<Shape> SegmentShape(const Shape& data, int64_t segments);

// UnsortedSegmentSum and its like.
struct UnsortedSegmentPlan {
  int64_t segments = 0;
  int64_t inner = 1;  // elements of a row
  Shape output;
};
absl::StatusOr<UnsortedSegmentPlan> PlanUnsortedSegment(const Shape& data, const Shape& ids,
                                                        const Tensor& num_segments);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_MATH_PLAN_H_
