// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/nn/depthwise_plan.h"

namespace sluice::kernels {
namespace {

// Errors of a gradient op begin with its name.
absl::StatusOr<DepthwiseSizes> SizesOf(const WindowAttrs& attrs, const Shape& input,
                                       const Shape& filter, absl::string_view gradient) {
  if (input.rank() != 4) return InvalidArgument(gradient, "input must be 4-dimensional", input);
  if (filter.rank() != 4)
    return InvalidArgument(gradient, "filter must be 4-dimensional: ", filter);
  DepthwiseSizes s;
  s.batch = input.dim(0);
  s.channels = input.dim(attrs.channel_dim());
  s.multiplier = filter.dim(3);
  if (filter.dim(2) != s.channels) {
    return InvalidArgument(gradient, "input and filter must have the same ",
                           gradient.empty() ? "depth: " : "in_depth: ", s.channels, " vs ",
                           filter.dim(2));
  }
  int64_t out_channels;
  if (!MulFits(s.channels, s.multiplier, &out_channels)) {
    return InvalidArgument("too many output channels: ", s.channels, " * ", s.multiplier);
  }
  SLUICE_ASSIGN(s.height, PlaceWindow(attrs, 0, input.dim(attrs.height_dim()), filter.dim(0)));
  SLUICE_ASSIGN(s.width, PlaceWindow(attrs, 1, input.dim(attrs.width_dim()), filter.dim(1)));
  return s;
}

}  // namespace

absl::StatusOr<DepthwiseOp> DepthwiseOp::Create(const NodeSpec& node) {
  SLUICE_ASSIGN(const WindowAttrs attrs, WindowAttrs::Create(node));
  const absl::string_view op = node.op;
  if (op == "DepthwiseConv2dNative") return DepthwiseOp{attrs, ConvDirection::kForward, ""};
  if (op == "DepthwiseConv2dNativeBackpropInput") {
    return DepthwiseOp{attrs, ConvDirection::kBackpropInput, "DepthwiseConv2DBackpropInput: "};
  }
  return DepthwiseOp{attrs, ConvDirection::kBackpropFilter, "DepthwiseConv2DBackpropFilter: "};
}

// Checks the additional inputs of a gradient op.
absl::Status DepthwiseOp::CheckGradient(const DepthwiseSizes& s, const Shape& grad) const {
  if (grad.rank() != 4)
    return InvalidArgument(gradient, "out_backprop must be 4-dimensional: ", grad);
  if (grad.dim(0) != s.batch) {
    return InvalidArgument(gradient, "input and out_backprop must have the same batch size");
  }
  if (grad.dim(attrs.channel_dim()) != s.out_channels()) {
    return InvalidArgument(gradient, "depth_multiplier * in_depth not equal to out_depth");
  }
  const int64_t rows = grad.dim(attrs.height_dim()), columns = grad.dim(attrs.width_dim());
  if (rows == s.height.out && columns == s.width.out) return absl::OkStatus();
  const bool is_rows = rows != s.height.out;
  return InvalidArgument(
      gradient, "Number of ", is_rows ? "rows" : "cols",
      " of out_backprop doesn't match computed: actual = ", is_rows ? rows : columns,
      ", computed = ", is_rows ? s.height.out : s.width.out);
}

absl::StatusOr<DepthwisePlan> DepthwiseOp::Plan(const KernelContext& ctx) const {
  Shape input = ctx.input(0).shape(), filter = ctx.input(1).shape();
  if (direction == ConvDirection::kBackpropInput) {
    SLUICE_ASSIGN(input, ShapeFrom(ctx.input(0)));
  } else if (direction == ConvDirection::kBackpropFilter) {
    SLUICE_ASSIGN(filter, ShapeFrom(ctx.input(1)));
  }
  DepthwisePlan plan;
  SLUICE_ASSIGN(plan.sizes, SizesOf(attrs, input, filter, gradient));
  plan.output = direction == ConvDirection::kBackpropInput ? input : filter;
  if (direction == ConvDirection::kForward) {
    SLUICE_ASSIGN(plan.output,
                  attrs.ImageShape(plan.sizes.batch, {plan.sizes.height.out, plan.sizes.width.out},
                                   plan.sizes.out_channels()));
  } else {
    SLUICE_RETURN_IF_ERROR(CheckGradient(plan.sizes, ctx.input(2).shape()));
  }
  return plan;
}

}  // namespace sluice::kernels
