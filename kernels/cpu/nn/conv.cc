// SPDX-License-Identifier: Apache-2.0
// Conv2D, Conv3D and their gradients: layouts; the checks are in conv_plan.cc, the arithmetic in
// conv_dnnl.cc and conv_patches.cc.
#include "kernels/cpu/nn/conv.h"

#include <cstring>

#include "core/runtime/kernel_registry.h"
#include "kernels/cpu/common/layout.h"
#include "kernels/cpu/nn/register.h"

namespace sluice::kernels {
namespace {

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
        return Floats(ctx, sizes, a, b, out);
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
                      Tensor& out) const {
    if (!MostlyWeights(sizes)) {
      SLUICE_ASSIGN(const bool done, dnnl->Run(ctx, sizes, a.data<float>(), b.data<float>(),
                                               out.mutable_data<float>()));
      if (done) return absl::OkStatus();
    }
    return Patches<float>(ctx, sizes, a, b, out);
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

using ConvForward = Conv<ConvDirection::kForward>;
using ConvBackpropInput = Conv<ConvDirection::kBackpropInput>;
using ConvBackpropFilter = Conv<ConvDirection::kBackpropFilter>;

}  // namespace

void RegisterConv(KernelRegistry& kernels) {
  const DTypeSet with_int = kFloating | DTypeSet{kInt32};
  kernels.Add<ConvForward>("Conv2D", kCpu, {{"T", with_int}});
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
