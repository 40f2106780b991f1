// SPDX-License-Identifier: Apache-2.0
// Conv2D, Conv3D and their gradients, _FusedConv2D, and Conv: layouts; the checks are in
// conv_plan.cc, the arithmetic in winograd.cc, dnnl.cc and patches.cc.
#include "kernels/cpu/nn/conv/conv.h"

#include <algorithm>
#include <cstring>

#include "core/runtime/kernel_registry.h"
#include "kernels/common/nn/bias_plan.h"
#include "kernels/cpu/common/bias_activation.h"
#include "kernels/cpu/common/layout.h"
#include "kernels/cpu/nn/conv/winograd.h"
#include "kernels/cpu/nn/register.h"

namespace sluice::kernels {
namespace {

// Computes `out` from `a` and `b`, which are images or filters depending on the direction.
struct ConvEngine {
  ConvDirection direction;
  std::unique_ptr<DnnlConv> dnnl;

  explicit ConvEngine(ConvDirection direction)
      : direction(direction), dnnl(std::make_unique<DnnlConv>(direction)) {}

  // `finish` gets all rows of an output of float with channels last, in pieces.
  absl::Status Run(KernelContext& ctx, const ConvSizes& sizes, const Tensor& a, const Tensor& b,
                   Tensor& out, const FinishRows* finish = nullptr) const {
    if (out.num_elements() == 0) return absl::OkStatus();
    if (a.num_elements() == 0 || b.num_elements() == 0) {
      std::memset(out.raw(), 0, out.bytes());
      return Finish(ctx, sizes, out, finish);
    }
    switch (out.dtype()) {
      case kFloat:
        return Floats(ctx, sizes, a, b, out, finish);
      case kDouble:
        return Patches<double>(ctx, sizes, a, b, out);
      case kInt32:
        return Patches<int32_t>(ctx, sizes, a, b, out);
      default:
        return Narrow(ctx, sizes, a, b, out);
    }
  }

 private:
  absl::Status Floats(KernelContext& ctx, const ConvSizes& sizes, const Tensor& a, const Tensor& b,
                      Tensor& out, const FinishRows* finish = nullptr) const {
    if (WinogradIsFaster(direction, sizes)) {
      return WinogradConv(ctx, direction, sizes, a.data<float>(), b.data<float>(),
                          out.mutable_data<float>(), finish);
    }
    if (!MostlyWeights(sizes)) {
      SLUICE_ASSIGN(const bool done, dnnl->Run(ctx, sizes, a.data<float>(), b.data<float>(),
                                               out.mutable_data<float>(), finish));
      if (done) return absl::OkStatus();
    }
    SLUICE_RETURN_IF_ERROR(Patches<float>(ctx, sizes, a, b, out));
    return Finish(ctx, sizes, out, finish);
  }

  static absl::Status Finish(KernelContext& ctx, const ConvSizes& sizes, Tensor& out,
                             const FinishRows* finish) {
    if (finish == nullptr) return absl::OkStatus();
    float* const rows = out.mutable_data<float>();
    ParallelFor(ctx.pool(), sizes.batch * sizes.out_pixels(), 0.3 * sizes.out_channels,
                [&](int64_t begin, int64_t end) {
                  (*finish)(rows + begin * sizes.out_channels, end - begin);
                });
    return absl::OkStatus();
  }

  absl::Status Narrow(KernelContext& ctx, const ConvSizes& sizes, const Tensor& a, const Tensor& b,
                      Tensor& out) const {
    SLUICE_ASSIGN(const Tensor wide_a, ToFloat(ctx, a));
    SLUICE_ASSIGN(const Tensor wide_b, ToFloat(ctx, b));
    SLUICE_ASSIGN(Tensor wide, ctx.AllocateTemporary(kFloat, out.shape()));
    SLUICE_RETURN_IF_ERROR(Floats(ctx, sizes, wide_a, wide_b, wide));
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

// Which inputs are images and filters: the sizes of a gradient are the remaining input.
template <ConvDirection kDirection>
struct Conv {
  static constexpr int kFirst = kDirection == ConvDirection::kBackpropInput ? 2 : 0;
  static constexpr int kSecond = kDirection == ConvDirection::kBackpropFilter ? 2 : 1;
  ConvOp op;
  ConvEngine engine{kDirection};

  static absl::StatusOr<Conv> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const ConvOp op, ConvOp::Create(node, kDirection));
    return Conv{op};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const ConvPlan plan, op.Plan(ctx));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, plan.output));
    return engine.Run(ctx, plan.sizes, ctx.input(kFirst), ctx.input(kSecond), *out);
  }
};

// Conv2D, BiasAdd and an activation in one, for images with channels last.
struct FusedConv {
  ConvOp op;
  BiasActivation rest;
  ConvEngine engine{ConvDirection::kForward};

  static absl::StatusOr<FusedConv> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const ConvOp op, ConvOp::Create(node, ConvDirection::kForward));
    SLUICE_ASSIGN(const BiasActivation rest, BiasActivation::Create(node));
    if (op.attrs.channels_first) return Unimplemented("channels first are not supported");
    return FusedConv{op, rest};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const ConvPlan plan, op.Plan(ctx));
    const Tensor& bias = ctx.input(2);
    SLUICE_RETURN_IF_ERROR(BiasPlan::OfAdd(plan.output, bias.shape(), false).status());
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, plan.output));
    const auto finish = [&](float* rows, int64_t count) {
      rest.Apply(bias.data<float>(), plan.sizes.out_channels, rows, count);
    };
    const FinishRows finish_rows = finish;
    return engine.Run(ctx, plan.sizes, ctx.input(0), ctx.input(1), *out, &finish_rows);
  }
};

// Conv: of images or of volumes, as the lists of its attributes are long, with any number of
// dimensions of batch.
struct ConvOfBatches {
  ConvOp op;
  int64_t batch_dims;
  ConvEngine engine{ConvDirection::kForward};

  static absl::StatusOr<ConvOfBatches> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const int64_t batch_dims, node.Get<int64_t>("batch_dims"));
    SLUICE_ASSIGN(const int64_t groups, node.Get<int64_t>("groups"));
    if (groups != 1) return Unimplemented("Grouped/Depthwise Convolutions are not supported yet.");
    SLUICE_ASSIGN(const auto strides, node.Get<std::vector<int64_t>>("strides"));
    if (strides.size() != 4 && strides.size() != 5) {
      return InvalidArgument("Sliding window strides field must specify 4 or 5 dimensions, got ",
                             strides.size());
    }
    const bool volume = strides.size() == 5;
    NodeSpec same = node;
    same.op = volume ? "Conv3D" : "Conv2D";
    SLUICE_ASSIGN(const auto format, node.Get<std::string>("data_format"));
    const bool channels_first = format == "CHANNELS_FIRST";
    same.attrs["data_format"] =
        std::string(channels_first ? (volume ? "NCDHW" : "NCHW") : (volume ? "NDHWC" : "NHWC"));
    SLUICE_ASSIGN(const auto dilations, node.Get<std::vector<int64_t>>("dilations"));
    if (dilations.empty()) same.attrs["dilations"] = std::vector<int64_t>(strides.size(), 1);
    SLUICE_ASSIGN(const ConvOp op, ConvOp::Create(same, ConvDirection::kForward));
    return ConvOfBatches{op, batch_dims};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &input = ctx.input(0), &filter = ctx.input(1);
    if (filter.rank() != 4 && filter.rank() != 5)
      return InvalidArgument("The filter must be rank 4 or 5 but got ", filter.rank());
    constexpr int64_t kMost = kMaxRank;
    const int64_t spaces = input.rank() - 1 - std::clamp(batch_dims, -kMost, kMost);
    if (batch_dims < 0 || (spaces != 2 && spaces != 3))
      return InvalidArgument("The input must have 2 or 3 spatial dimensions but got ", spaces);
    if (spaces != op.attrs.spaces) {
      return InvalidArgument("Sliding window strides field must specify ", spaces + 2,
                             " dimensions");
    }
    const auto dims = input.shape().dims();
    Shape::Dims one_batch(dims.begin() + batch_dims, dims.end());
    const int64_t channels = one_batch[op.attrs.channels_first ? 0 : spaces];
    if (filter.rank() == spaces + 2 && filter.dim(spaces) != channels) {
      return InvalidArgument("Input depth must be equal to filter depth: ", channels, " vs ",
                             filter.dim(spaces));
    }
    int64_t batch = 1;
    for (int64_t d = 0; d < batch_dims; ++d) batch *= dims[d];
    one_batch.insert(one_batch.begin(), batch);
    SLUICE_ASSIGN(const Shape flat, Shape::Create(one_batch));
    SLUICE_ASSIGN(const ConvPlan plan, op.PlanForward(flat, filter.shape()));
    Shape::Dims out_dims(dims.begin(), dims.begin() + batch_dims);
    out_dims.insert(out_dims.end(), plan.output.dims().begin() + 1, plan.output.dims().end());
    SLUICE_ASSIGN(const Shape out_shape, Shape::Create(out_dims));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, out_shape));
    SLUICE_ASSIGN(const Tensor images, input.Reshaped(flat));
    SLUICE_ASSIGN(Tensor result, out->Reshaped(plan.output));
    return engine.Run(ctx, plan.sizes, images, filter, result);
  }
};

using ConvForward = Conv<ConvDirection::kForward>;
using ConvBackpropInput = Conv<ConvDirection::kBackpropInput>;
using ConvBackpropFilter = Conv<ConvDirection::kBackpropFilter>;

}  // namespace

void RegisterConv(KernelRegistry& kernels) {
  const DTypeSet with_int = kFloating | DTypeSet{kInt32};
  kernels.Add<ConvOfBatches>("Conv", kCpu, {{"T", with_int}});
  kernels.Add<ConvForward>("Conv2D", kCpu, {{"T", with_int}});
  kernels.Add<FusedConv>("_FusedConv2D", kCpu, {{"T", kFloat}});
  kernels.Add<ConvForward>("Conv3D", kCpu, {{"T", kFloating}});
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
