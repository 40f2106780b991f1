// SPDX-License-Identifier: Apache-2.0
// Conv2D, Conv3D and their gradients: checks and layouts; the arithmetic is in conv_dnnl.cc and
// conv_patches.cc.
#include "kernels/cpu/nn/conv.h"

#include <algorithm>
#include <cstring>

#include "core/runtime/kernel_registry.h"
#include "kernels/cpu/common/layout.h"
#include "kernels/cpu/nn/register.h"

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
    return InvalidArgument("input depth must be evenly divisible by filter depth: ", s.in_channels,
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

// Computes `out` from `a` and `b`, which are images or filters depending on the direction.
struct ConvEngine {
  ConvDirection direction;
  std::unique_ptr<DnnlConv> dnnl;

  explicit ConvEngine(ConvDirection direction)
      : direction(direction), dnnl(std::make_unique<DnnlConv>(direction)) {}

  absl::Status Run(KernelContext& ctx, const ConvSizes& sizes, const Tensor& a, const Tensor& b,
                   Tensor& out) const {
    if (out.num_elements() == 0) return absl::OkStatus();
    if (a.num_elements() == 0 || b.num_elements() == 0) {
      std::memset(out.raw(), 0, out.bytes());
      return absl::OkStatus();
    }
    switch (out.dtype()) {
      case kFloat:
        if (MostlyWeights(sizes)) return Patches<float>(ctx, sizes, a, b, out);
        return dnnl->Run(ctx, sizes, a.data<float>(), b.data<float>(), out.mutable_data<float>());
      case kDouble:
        return Patches<double>(ctx, sizes, a, b, out);
      case kInt32:
        return Patches<int32_t>(ctx, sizes, a, b, out);
      default:
        return Narrow(ctx, sizes, a, b, out);
    }
  }

 private:
  absl::Status Narrow(KernelContext& ctx, const ConvSizes& sizes, const Tensor& a, const Tensor& b,
                      Tensor& out) const {
    SLUICE_ASSIGN(const Tensor wide_a, ToFloat(ctx, a));
    SLUICE_ASSIGN(const Tensor wide_b, ToFloat(ctx, b));
    SLUICE_ASSIGN(Tensor wide, ctx.AllocateTemporary(kFloat, out.shape()));
    SLUICE_RETURN_IF_ERROR(dnnl->Run(ctx, sizes, wide_a.data<float>(), wide_b.data<float>(),
                                     wide.mutable_data<float>()));
    return FromFloat(ctx, wide, out);
  }

  // If there are few pixels and many weights, reordering the weights for oneDNN takes as long as
  // the products.
  bool MostlyWeights(const ConvSizes& s) const {
    constexpr int64_t kFewPixels = 64, kManyWeights = 1 << 18;
    const int64_t weights = s.taps() * (s.in_channels / s.groups) * s.out_channels;
    return direction == ConvDirection::kForward && s.groups == 1 &&
           s.batch * s.out_pixels() <= kFewPixels && weights >= kManyWeights;
  }

  template <typename T>
  absl::Status Patches(KernelContext& ctx, ConvSizes sizes, const Tensor& a, const Tensor& b,
                       Tensor& out) const {
    if (!sizes.channels_first) {
      return PatchConv<T>(ctx, direction, sizes, a.data<T>(), b.data<T>(), out.mutable_data<T>());
    }
    sizes.channels_first = false;
    Tensor images_a = a, images_b = b, result = out;
    SLUICE_ASSIGN(images_a, ToChannelsLast(ctx, a));
    const bool makes_filter = direction == ConvDirection::kBackpropFilter;
    if (makes_filter) {
      SLUICE_ASSIGN(images_b, ToChannelsLast(ctx, b));
    } else {
      SLUICE_ASSIGN(const Shape shape, ChannelsLastShape(out.shape()));
      SLUICE_ASSIGN(result, ctx.AllocateTemporary(out.dtype(), shape));
    }
    SLUICE_RETURN_IF_ERROR(PatchConv<T>(ctx, direction, sizes, images_a.data<T>(),
                                        images_b.data<T>(), result.mutable_data<T>()));
    return makes_filter ? absl::OkStatus() : FromChannelsLast(ctx, result, out);
  }
};

struct Conv {
  WindowAttrs attrs;
  ConvEngine engine{ConvDirection::kForward};

  static absl::StatusOr<Conv> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const WindowAttrs attrs, WindowAttrs::Create(node));
    return Conv{attrs};
  }
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& input = ctx.input(0);
    const Tensor& filter = ctx.input(1);
    SLUICE_ASSIGN(const ConvSizes sizes, SizesOf(attrs, input.shape(), filter.shape()));
    SLUICE_ASSIGN(const Shape shape, OutputShape(attrs, sizes));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    return engine.Run(ctx, sizes, input, filter, *out);
  }
};

struct ConvBackpropInput {
  WindowAttrs attrs;
  bool by_example;  // the first ops on volumes take a tensor of this shape instead of its sizes
  ConvEngine engine{ConvDirection::kBackpropInput};

  static absl::StatusOr<ConvBackpropInput> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const WindowAttrs attrs, WindowAttrs::Create(node));
    return ConvBackpropInput{attrs, node.op == "Conv3DBackpropInput"};
  }

  // Either the full shape, or only height and width.
  absl::StatusOr<Shape> InputShape(const Tensor& sizes, const Shape& filter,
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

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& filter = ctx.input(1);
    const Tensor& grad = ctx.input(2);
    SLUICE_ASSIGN(const Shape shape, InputShape(ctx.input(0), filter.shape(), grad.shape()));
    const char* name = attrs.spaces == 2 ? "Conv2DCustomBackpropInput" : "Conv3DBackpropInputOp";
    SLUICE_ASSIGN(const ConvSizes sizes,
                  GradientSizesOf(attrs, name, shape, filter.shape(), grad.shape()));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    return engine.Run(ctx, sizes, grad, filter, *out);
  }
};

struct ConvBackpropFilter {
  WindowAttrs attrs;
  bool by_example;
  ConvEngine engine{ConvDirection::kBackpropFilter};

  static absl::StatusOr<ConvBackpropFilter> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const WindowAttrs attrs, WindowAttrs::Create(node));
    return ConvBackpropFilter{attrs, node.op == "Conv3DBackpropFilter"};
  }
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& input = ctx.input(0);
    const Tensor& grad = ctx.input(2);
    const char* name = attrs.spaces == 2 ? "Conv2DCustomBackpropFilter" : "Conv3DBackpropFilterOp";
    Shape shape = ctx.input(1).shape();
    if (!by_example) {
      if (shape.rank() != 1) {
        return InvalidArgument(name, ": filter_sizes input must be 1-dim, not ", shape.rank());
      }
      SLUICE_ASSIGN(shape, ShapeFrom(ctx.input(1)));
    }
    SLUICE_ASSIGN(const ConvSizes sizes,
                  GradientSizesOf(attrs, name, input.shape(), shape, grad.shape()));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    return engine.Run(ctx, sizes, input, grad, *out);
  }
};

}  // namespace

void RegisterConv(KernelRegistry& kernels) {
  const DTypeSet with_int = kFloating | DTypeSet{kInt32};
  kernels.Add<Conv>("Conv2D", kCpu, {{"T", with_int}});
  kernels.Add<Conv>("Conv3D", kCpu, {{"T", kFloating}});
  kernels.Add<ConvBackpropInput>("Conv2DBackpropInput", kCpu, {{"T", with_int}});
  kernels.Add<ConvBackpropFilter>("Conv2DBackpropFilter", kCpu, {{"T", kFloating}});
  for (const char* op : {"Conv3DBackpropInput", "Conv3DBackpropInputV2"}) {
    kernels.Add<ConvBackpropInput>(op, kCpu, {{"T", kFloating}});
  }
  for (const char* op : {"Conv3DBackpropFilter", "Conv3DBackpropFilterV2"}) {
    kernels.Add<ConvBackpropFilter>(op, kCpu, {{"T", kFloating}});
  }
}

}  // namespace sluice::kernels
