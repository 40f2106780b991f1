// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/nn/conv_plan.h"

namespace sluice::kernels {
namespace {

// The window along one dimension of space.
Window& WindowOf(ConvSizes& s, int dimension) {
  if (s.volume && dimension == 0) return s.planes;
  return dimension == (s.volume ? 1 : 0) ? s.height : s.width;
}

absl::Status CheckRanks(const WindowAttrs& attrs, const Shape& input, const Shape& filter) {
  const int rank = attrs.rank();
  if (input.rank() != rank) return InvalidArgument("input must be ", rank, "-dimensional", input);
  if (filter.rank() == rank) return absl::OkStatus();
  return InvalidArgument("filter must be ", rank, "-dimensional: ", filter);
}

// The sizes of a convolution of images of shape `input` by a filter of shape `filter`.
absl::StatusOr<ConvSizes> SizesOf(const WindowAttrs& attrs, const Shape& input,
                                  const Shape& filter) {
  SLUICE_RETURN_IF_ERROR(CheckRanks(attrs, input, filter));
  const int rank = attrs.rank();
  ConvSizes s;
  s.volume = attrs.spaces == 3;
  s.channels_first = attrs.channels_first;
  s.batch = input.dim(0);
  s.in_channels = input.dim(attrs.channel_dim());
  s.out_channels = filter.dim(rank - 1);
  const int64_t depth = filter.dim(rank - 2);
  if (depth < 1) return InvalidArgument("filter depth must be positive: ", filter);
  if (s.in_channels % depth != 0 || s.in_channels < 1) {
    return InvalidArgument(s.volume ? "Input" : "input",
                           " depth must be evenly divisible by filter depth: ", s.in_channels,
                           " vs ", depth);
  }
  if (s.volume && s.in_channels != depth) {
    return InvalidArgument("input and filter must have the same depth: ", s.in_channels, " vs ",
                           depth);
  }
  s.groups = s.in_channels / depth;
  if (s.out_channels % s.groups != 0) {
    return InvalidArgument("output depth must be evenly divisible by number of groups: ",
                           s.out_channels, " vs ", s.groups);
  }
  for (int d = 0; d < attrs.spaces; ++d) {
    SLUICE_ASSIGN(WindowOf(s, d),
                  PlaceWindow(attrs, d, input.dim(attrs.first_space() + d), filter.dim(d)));
  }
  return s;
}

absl::StatusOr<Shape> OutputShape(const WindowAttrs& attrs, const ConvSizes& s) {
  const int64_t space[] = {s.planes.out, s.height.out, s.width.out};
  return attrs.ImageShape(s.batch, absl::MakeSpan(space).last(attrs.spaces), s.out_channels);
}

// A gradient's images must have the shape of the forward convolution's output.
absl::StatusOr<ConvSizes> CheckGradient(const WindowAttrs& attrs, const Shape& input,
                                        const Shape& filter, const Shape& grad) {
  SLUICE_RETURN_IF_ERROR(CheckRanks(attrs, input, filter));
  if (grad.rank() != attrs.rank()) {
    return InvalidArgument("out_backprop must be ", attrs.rank(), "-dimensional: ", grad);
  }
  if (grad.dim(0) != input.dim(0)) {
    return InvalidArgument("input and out_backprop must have the same batch size. Input batch: ",
                           input.dim(0), ", outbackprop batch: ", grad.dim(0), ", batch_dim: 0");
  }
  SLUICE_ASSIGN(ConvSizes s, SizesOf(attrs, input, filter));
  if (grad.dim(attrs.channel_dim()) != s.out_channels) {
    return InvalidArgument("filter and out_backprop must have the same out_depth: ", s.out_channels,
                           " vs ", grad.dim(attrs.channel_dim()));
  }
  for (int d = 0; d < attrs.spaces; ++d) {
    const Window& w = WindowOf(s, d);
    const int64_t actual = grad.dim(attrs.first_space() + d);
    if (actual == w.out) continue;
    return InvalidArgument("Size of out_backprop doesn't match computed: actual = ", actual,
                           ", computed = ", w.out, " spatial_dim: ", attrs.first_space() + d,
                           " input: ", w.in, " filter: ", w.kernel, " output: ", actual,
                           " stride: ", w.stride, " dilation: ", w.dilation);
  }
  return s;
}

// The sizes of a gradient; errors begin with TensorFlow's name of its kernel.
absl::StatusOr<ConvSizes> GradientSizesOf(const WindowAttrs& attrs, absl::string_view name,
                                          const Shape& input, const Shape& filter,
                                          const Shape& grad) {
  auto sizes = CheckGradient(attrs, input, filter, grad);
  if (sizes.ok()) return sizes;
  return MakeStatus(sizes.status().code(), Cat(name, ": ", sizes.status().message()));
}

}  // namespace

absl::StatusOr<ConvOp> ConvOp::Create(const NodeSpec& node, ConvDirection direction) {
  SLUICE_ASSIGN(const WindowAttrs attrs, WindowAttrs::Create(node));
  const bool by_example = node.op == "Conv3DBackpropInput" || node.op == "Conv3DBackpropFilter";
  return ConvOp{attrs, direction, by_example};
}

absl::StatusOr<ConvPlan> ConvOp::Plan(const KernelContext& ctx) const {
  switch (direction) {
    case ConvDirection::kForward:
      return PlanForward(ctx.input(0).shape(), ctx.input(1).shape());
    case ConvDirection::kBackpropInput:
      return PlanInput(ctx.input(0), ctx.input(1).shape(), ctx.input(2).shape());
    case ConvDirection::kBackpropFilter:
      return PlanFilter(ctx.input(0).shape(), ctx.input(1), ctx.input(2).shape());
  }
  return Internal("unknown direction of a convolution");
}

absl::StatusOr<ConvPlan> ConvOp::PlanForward(const Shape& input, const Shape& filter) const {
  ConvPlan plan;
  SLUICE_ASSIGN(plan.sizes, SizesOf(attrs, input, filter));
  SLUICE_ASSIGN(plan.output, OutputShape(attrs, plan.sizes));
  return plan;
}

// Either the full shape, or only height and width.
absl::StatusOr<Shape> ConvOp::InputShape(const Tensor& sizes, const Shape& filter,
                                         const Shape& grad) const {
  if (by_example) return sizes.shape();
  if (sizes.rank() != 1) {
    return InvalidArgument(attrs.spaces == 2 ? "Conv2D" : "Conv3D",
                           "BackpropInput: input_sizes input must be 1-dim, not ", sizes.rank());
  }
  SLUICE_ASSIGN(const Shape::Dims dims, IntVector(sizes));
  if (attrs.spaces == 2 && dims.size() == 2 && grad.rank() == 4 && filter.rank() == 4) {
    return attrs.ImageShape(grad.dim(0), dims, filter.dim(2));
  }
  return Shape::Create(dims);
}

absl::StatusOr<ConvPlan> ConvOp::PlanInput(const Tensor& sizes, const Shape& filter,
                                           const Shape& grad) const {
  const char* name = attrs.spaces == 2 ? "Conv2DCustomBackpropInput" : "Conv3DBackpropInputOp";
  ConvPlan plan;
  SLUICE_ASSIGN(plan.output, InputShape(sizes, filter, grad));
  SLUICE_ASSIGN(plan.sizes, GradientSizesOf(attrs, name, plan.output, filter, grad));
  return plan;
}

absl::StatusOr<ConvPlan> ConvOp::PlanFilter(const Shape& input, const Tensor& sizes,
                                            const Shape& grad) const {
  const char* name = attrs.spaces == 2 ? "Conv2DCustomBackpropFilter" : "Conv3DBackpropFilterOp";
  ConvPlan plan;
  plan.output = sizes.shape();
  if (!by_example) {
    if (sizes.rank() != 1) {
      return InvalidArgument(name, ": filter_sizes input must be 1-dim, not ", sizes.rank());
    }
    SLUICE_ASSIGN(plan.output, ShapeFrom(sizes));
  }
  SLUICE_ASSIGN(plan.sizes, GradientSizesOf(attrs, name, input, plan.output, grad));
  return plan;
}

}  // namespace sluice::kernels
