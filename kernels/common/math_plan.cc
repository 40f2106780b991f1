// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/math_plan.h"

#include "absl/strings/str_cat.h"
#include "kernels/common/axis.h"

namespace sluice::kernels {

std::string NodeLabel(const NodeSpec& node) {
  return absl::StrCat(node.name, " of type ", node.op);
}

OperandRule OperandRule::Create(const NodeSpec& node, bool same_shape, bool any_shape) {
  OperandRule rule;
  if (same_shape) rule.same_shape = NodeLabel(node);
  rule.any_shape = any_shape && !GetAttrOr<bool>(node.attrs, "incompatible_shape_error", true);
  rule.unequal = node.op == "NotEqual";
  return rule;
}

absl::StatusOr<std::optional<BroadcastPlan>> OperandRule::Meet(const Shape& a,
                                                               const Shape& b) const {
  if (!same_shape.empty()) {
    return InvalidArgument("Inputs to operation ", same_shape,
                           " must have the same size and shape.  Input 0: ", a, " != input 1: ", b);
  }
  absl::StatusOr<BroadcastPlan> plan = PlanBroadcast({&a, &b});
  if (plan.ok()) return *std::move(plan);
  if (!any_shape) return plan.status();
  return std::nullopt;
}

absl::StatusOr<BroadcastPlan> PlanSelect(const std::string& label, const Shape& condition,
                                         const Shape& then, const Shape& otherwise) {
  Shape c = condition;
  const Shape &t = then, &e = otherwise;
  const bool rows = c.rank() == 1 && t.rank() != 1;
  if (rows && t.rank() == 0)
    return InvalidArgument("'then' must be at least a vector, but saw shape: ", t);
  if (rows && c.dim(0) != t.dim(0)) {
    return InvalidArgument("Number of batches of 'then' must match size of 'cond', but saw: ",
                           t.dim(0), " vs. ", c.dim(0));
  }
  if (c.rank() != 0 && !rows && !(c == t && c == e)) {
    return InvalidArgument("Inputs to operation ", label,
                           " must have the same size and shape.  Input 0: ", c, " != input ",
                           c == t ? 2 : 1, ": ", c == t ? e : t);
  }
  if (!(t == e)) {
    return InvalidArgument("'then' and 'else' must have the same size.  but received: ", t, " vs. ",
                           e);
  }
  while (rows && c.rank() < t.rank()) c.AddDim(1);
  return PlanBroadcast({&c, &t, &e});
}

absl::StatusOr<BroadcastPlan> PlanSelectV2(const Shape& condition, const Shape& then,
                                           const Shape& otherwise) {
  absl::StatusOr<BroadcastPlan> plan = PlanBroadcast({&condition, &then, &otherwise});
  if (!plan.ok() && absl::IsInvalidArgument(plan.status())) {
    return InvalidArgument("condition ", condition, ", then ", then, ", and else ", otherwise,
                           " must be broadcastable");
  }
  return plan;
}

absl::Status CheckClip(const Shape& x, const Shape& low, const Shape& high) {
  const auto fits = [&](const Shape& bound) { return bound.rank() == 0 || bound == x; };
  if (fits(low) && fits(high)) return absl::OkStatus();
  return InvalidArgument(
      "clip_value_min and clip_value_max must be either of the same shape as input, or a "
      "scalar. ",
      "input shape: ", x, " clip_value_min shape: ", low, " clip_value_max shape: ", high);
}

absl::Status CheckSameShapes(const std::string& label, const KernelContext& ctx) {
  const Shape& shape = ctx.input(0).shape();
  for (int i = 1; i < ctx.num_inputs(); ++i) {
    if (ctx.input(i).shape() == shape) continue;
    return InvalidArgument("Inputs to operation ", label,
                           " must have the same size and shape.  Input 0: ", shape, " != input ", i,
                           ": ", ctx.input(i).shape());
  }
  return absl::OkStatus();
}

absl::StatusOr<ReducedAxes> ReducedAxes::Parse(const Shape& input, const Tensor& axes,
                                               bool keep_dims) {
  // The axes may have any shape: TensorFlow uses their elements.
  SLUICE_ASSIGN(Shape::Dims indices, IntVector(axes));
  ReducedAxes result;
  result.reduced.assign(input.rank(), false);
  for (int64_t axis : indices) {
    if (axis < -input.rank() || axis >= input.rank()) {
      return InvalidArgument("Invalid reduction dimension (", axis, " for input with ",
                             input.rank(), " dimension(s)");
    }
    if (axis < 0) axis += input.rank();
    result.reduced[axis] = true;
  }
  for (int d = 0; d < input.rank(); ++d) {
    if (!result.reduced[d])
      result.output.AddDim(input.dim(d));
    else if (keep_dims)
      result.output.AddDim(1);
  }
  return result;
}

absl::StatusOr<ArgReductionPlan> PlanArgReduction(const Shape& input, const Tensor& dimension) {
  if (dimension.rank() != 0) {
    return InvalidArgument("dim must be a scalar, but received tensor of shape: ",
                           dimension.shape());
  }
  const int64_t dim = IndexAt(dimension, 0);
  ArgReductionPlan plan;
  if (!NormalizeAxis(dim, input.rank(), &plan.axis)) {
    return InvalidArgument("Expected dimension in the range [", -input.rank(), ", ", input.rank(),
                           "), but got ", dim);
  }
  if (input.dim(plan.axis) == 0)
    return InvalidArgument("Reduction axis ", dim, " is empty in shape ", input);
  plan.output = input;
  plan.output.RemoveDim(plan.axis);
  return plan;
}

absl::StatusOr<int> ScanAxis(const Shape& input, const Tensor& axis) {
  if (axis.rank() != 0) return InvalidArgument("ScanOp: axis must be a scalar, not ", axis.shape());
  SLUICE_ASSIGN(const int64_t given, IntScalar(axis));
  int normal = 0;
  if (!NormalizeAxis(given, input.rank(), &normal)) {
    return InvalidArgument("ScanOp: Expected scan axis in the range [", -input.rank(), ", ",
                           input.rank(), "), but got ", given);
  }
  return normal;
}

absl::Status CheckSegmentShapes(const Shape& data, const Shape& ids) {
  if (ids.rank() != 1) return InvalidArgument("segment_ids should be a vector.");
  if (data.rank() < 1 || ids.num_elements() != data.dim(0))
    return InvalidArgument("segment_ids should be the same size as dimension 0 of input.");
  return absl::OkStatus();
}

absl::StatusOr<Shape> SegmentShape(const Shape& data, int64_t segments) {
  return JoinShapes(Shape{segments}, SubShape(data, 1, data.rank()));
}

absl::StatusOr<UnsortedSegmentPlan> PlanUnsortedSegment(const Shape& data, const Shape& ids,
                                                        const Tensor& num_segments) {
  if (num_segments.rank() != 0)
    return InvalidArgument("num_segments should be a scalar, not shape ", num_segments.shape());
  UnsortedSegmentPlan plan;
  SLUICE_ASSIGN(plan.segments, IntScalar(num_segments));
  bool prefix = ids.rank() <= data.rank();
  for (int d = 0; prefix && d < ids.rank(); ++d) prefix = ids.dim(d) == data.dim(d);
  if (!prefix) {
    return InvalidArgument("data.shape = ", data, " does not start with segment_ids.shape = ", ids);
  }
  if (plan.segments < 0)
    return InvalidArgument("Input num_segments == ", plan.segments, " must not be negative.");
  SLUICE_ASSIGN(plan.output,
                JoinShapes(Shape{plan.segments}, SubShape(data, ids.rank(), data.rank())));
  plan.inner = ProductOf(data, ids.rank(), data.rank());
  return plan;
}

}  // namespace sluice::kernels
