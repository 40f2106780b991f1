// SPDX-License-Identifier: Apache-2.0
// Conv2D and its gradients by cuDNN. It pads both sides alike and has filters in another order, so
// images are padded and filters are permuted first.
#if __has_include(<cudnn.h>)
#include <algorithm>
#include <limits>

#include "core/device/cuda_status.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/common/nn/conv_plan.h"
#include "kernels/cuda/common/kernel.h"
#include "kernels/cuda/nn/cudnn_conv.h"
#include "kernels/cuda/nn/direct_conv.h"
#include "kernels/cuda/nn/image_layout.h"
#include "kernels/cuda/nn/register.h"
#include "kernels/cuda/nn/span_of.h"

namespace sluice::kernels {
namespace {

// A window with what cuDNN's padding, the same on both sides, leaves over.
struct EvenWindow {
  int64_t pad, extra_before, extra_after;

  explicit EvenWindow(const Window& w)
      : pad(std::min(w.pad_before, w.pad_after)),
        extra_before(w.pad_before - pad),
        extra_after(w.pad_after - pad) {}
  int64_t extra() const { return extra_before + extra_after; }
};

// One run of a convolution.
class Convolution {
 public:
  Convolution(KernelContext& ctx, const ConvSizes& sizes, ConvDirection direction, DType dtype)
      : ctx_(ctx),
        s_(sizes),
        direction_(direction),
        dtype_(dtype),
        // cuDNN has doubles with channels first only.
        channels_last_(!sizes.channels_first && dtype != kDouble) {}

  absl::Status Run(const Tensor& a, const Tensor& b, Tensor& out) const {
    if (dtype_ != kInt32 && FitsCudnn()) {
      SLUICE_ASSIGN(const bool done, ByCudnn(a, b, out));
      if (done) return absl::OkStatus();
    }
    return Launched(Direct(a, b, out));
  }

 private:
  cudaStream_t stream() const { return StreamOf(ctx_); }
  int element_size() const { return cuda::SizeOfElement(ElementOf(dtype_)); }
  int64_t taps() const { return s_.height.kernel * s_.width.kernel; }
  int64_t depth() const { return s_.in_channels / s_.groups; }
  int64_t padded_rows() const { return s_.height.in + rows_.extra(); }
  int64_t padded_columns() const { return s_.width.in + columns_.extra(); }
  bool pads() const { return rows_.extra() + columns_.extra() > 0; }
  bool permutes_images() const { return !s_.channels_first && !channels_last_; }

  // Its sizes are int.
  bool FitsCudnn() const {
    const int64_t largest = std::max({s_.batch, s_.in_channels, s_.out_channels, padded_rows(),
                                      padded_columns(), s_.height.out, s_.width.out});
    return largest <= std::numeric_limits<int>::max();
  }

  static CudnnConv::Line LineOf(const Window& w, const EvenWindow& even) {
    return {static_cast<int>(w.in + even.extra()),
            static_cast<int>(w.kernel),
            static_cast<int>(w.stride),
            static_cast<int>(w.dilation),
            static_cast<int>(even.pad),
            static_cast<int>(w.out)};
  }
  CudnnConv Describe() const {
    CudnnConv conv;
    conv.direction = direction_;
    conv.element = ElementOf(dtype_);
    conv.channels_last = channels_last_;
    conv.batch = static_cast<int>(s_.batch);
    conv.in_channels = static_cast<int>(s_.in_channels);
    conv.out_channels = static_cast<int>(s_.out_channels);
    conv.groups = static_cast<int>(s_.groups);
    conv.height = LineOf(s_.height, rows_);
    conv.width = LineOf(s_.width, columns_);
    return conv;
  }

  absl::StatusOr<Tensor> Temporary(int64_t elements) const {
    return ctx_.AllocateTemporary(dtype_, Shape{elements});
  }
  absl::StatusOr<Tensor> Permuted(const void* in, const cuda::PermutedDimension (&dims)[3]) const {
    SLUICE_ASSIGN(Tensor out, Temporary(dims[0].size * dims[1].size * dims[2].size));
    SLUICE_RETURN_IF_ERROR(
        Launched(cuda::LaunchPermute(element_size(), dims, in, out.raw(), stream())));
    return out;
  }

  // Images of the input with the padding that cuDNN does not add, in the layout that it computes.
  absl::StatusOr<Tensor> Input(Tensor images) const {
    if (pads()) {
      SLUICE_ASSIGN(Tensor padded,
                    Temporary(s_.batch * s_.in_channels * padded_rows() * padded_columns()));
      SLUICE_RETURN_IF_ERROR(Launched(cuda::LaunchMoveImages(
          element_size(), Moved(rows_.extra_before, columns_.extra_before, /*back=*/false),
          images.raw(), padded.raw(), stream())));
      images = padded;
    }
    if (!permutes_images()) return images;
    return ChannelsFirst(images, s_.in_channels, padded_rows() * padded_columns());
  }
  absl::StatusOr<Tensor> ChannelsFirst(const Tensor& images, int64_t channels,
                                       int64_t pixels) const {
    return Permuted(images.raw(),
                    {{s_.batch, pixels * channels}, {channels, 1}, {pixels, channels}});
  }
  absl::Status ChannelsLast(const Tensor& images, int64_t channels, int64_t pixels,
                            Tensor& out) const {
    return Launched(cuda::LaunchPermute(
        element_size(), {{s_.batch, pixels * channels}, {pixels, 1}, {channels, pixels}},
        images.raw(), out.raw(), stream()));
  }
  cuda::ImageWindow Moved(int64_t top, int64_t left, bool back) const {
    const int64_t batch = s_.channels_first ? s_.batch * s_.in_channels : s_.batch;
    const int64_t inner = s_.channels_first ? 1 : s_.in_channels;
    if (back) {
      return {batch,        inner,       padded_rows(), padded_columns(),
              s_.height.in, s_.width.in, -top,          -left};
    }
    return {batch, inner, s_.height.in, s_.width.in, padded_rows(), padded_columns(), top, left};
  }

  absl::StatusOr<Tensor> Filter(const Tensor& filter) const {
    const int64_t k = s_.out_channels, c = depth();
    if (channels_last_) return Permuted(filter.raw(), {{k, 1}, {taps(), c * k}, {c, k}});
    return Permuted(filter.raw(), {{k, 1}, {c, k}, {taps(), c * k}});
  }

  absl::StatusOr<bool> ByCudnn(const Tensor& a, const Tensor& b, Tensor& out) const {
    switch (direction_) {
      case ConvDirection::kForward:
        return Forward(a, b, out);
      case ConvDirection::kBackpropInput:
        return BackpropInput(a, b, out);
      case ConvDirection::kBackpropFilter:
        return BackpropFilter(a, b, out);
    }
    return false;
  }
  absl::StatusOr<bool> Convolve(const Tensor& a, const Tensor& b, Tensor& out) const {
    return ConvolveByCudnn(Describe(), a.raw(), b.raw(), out.raw(), stream(),
                           KernelWorkspace{ctx_});
  }

  absl::StatusOr<bool> Forward(const Tensor& images, const Tensor& filter, Tensor& out) const {
    SLUICE_ASSIGN(const Tensor input, Input(images));
    SLUICE_ASSIGN(const Tensor ordered, Filter(filter));
    if (!permutes_images()) return Convolve(input, ordered, out);
    SLUICE_ASSIGN(Tensor result, Temporary(out.num_elements()));
    SLUICE_ASSIGN(const bool done, Convolve(input, ordered, result));
    if (!done) return false;
    SLUICE_RETURN_IF_ERROR(
        ChannelsLast(result, s_.out_channels, s_.height.out * s_.width.out, out));
    return true;
  }

  absl::StatusOr<bool> BackpropInput(const Tensor& grad, const Tensor& filter, Tensor& out) const {
    SLUICE_ASSIGN(const Tensor ordered, Filter(filter));
    Tensor images = grad;
    if (permutes_images()) {
      SLUICE_ASSIGN(images, ChannelsFirst(grad, s_.out_channels, s_.height.out * s_.width.out));
    }
    const int64_t pixels = padded_rows() * padded_columns();
    Tensor result = out;
    if (pads() || permutes_images()) {
      SLUICE_ASSIGN(result, Temporary(s_.batch * s_.in_channels * pixels));
    }
    SLUICE_ASSIGN(const bool done, Convolve(images, ordered, result));
    if (!done) return false;
    if (permutes_images()) {
      Tensor last = out;
      if (pads()) {
        SLUICE_ASSIGN(last, Temporary(result.num_elements()));
      }
      SLUICE_RETURN_IF_ERROR(ChannelsLast(result, s_.in_channels, pixels, last));
      result = last;
    }
    if (!pads()) return true;
    SLUICE_RETURN_IF_ERROR(Launched(cuda::LaunchMoveImages(
        element_size(), Moved(rows_.extra_before, columns_.extra_before, /*back=*/true),
        result.raw(), out.raw(), stream())));
    return true;
  }

  absl::StatusOr<bool> BackpropFilter(const Tensor& images, const Tensor& grad, Tensor& out) const {
    SLUICE_ASSIGN(const Tensor input, Input(images));
    Tensor above = grad;
    if (permutes_images()) {
      SLUICE_ASSIGN(above, ChannelsFirst(grad, s_.out_channels, s_.height.out * s_.width.out));
    }
    SLUICE_ASSIGN(Tensor result, Temporary(out.num_elements()));
    SLUICE_ASSIGN(const bool done, Convolve(input, above, result));
    if (!done) return false;
    const int64_t k = s_.out_channels, c = depth();
    const cuda::PermutedDimension last[3] = {{taps(), c}, {c, 1}, {k, taps() * c}};
    const cuda::PermutedDimension first[3] = {{taps(), 1}, {c, taps()}, {k, taps() * c}};
    SLUICE_RETURN_IF_ERROR(Launched(cuda::LaunchPermute(
        element_size(), channels_last_ ? last : first, result.raw(), out.raw(), stream())));
    return true;
  }

  cudaError_t Direct(const Tensor& a, const Tensor& b, Tensor& out) const {
    const cuda::DirectConv conv{ElementOf(dtype_), s_.batch,         s_.in_channels,
                                s_.out_channels,   s_.groups,        SpanOf(s_.height),
                                SpanOf(s_.width),  s_.channels_first};
    switch (direction_) {
      case ConvDirection::kForward:
        return LaunchDirectConv(conv, a.raw(), b.raw(), out.raw(), stream());
      case ConvDirection::kBackpropInput:
        return LaunchDirectConvInput(conv, a.raw(), b.raw(), out.raw(), stream());
      case ConvDirection::kBackpropFilter:
        return LaunchDirectConvFilter(conv, a.raw(), b.raw(), out.raw(), stream());
    }
    return cudaErrorInvalidValue;
  }

  KernelContext& ctx_;
  const ConvSizes& s_;
  const ConvDirection direction_;
  const DType dtype_;
  const bool channels_last_;  // where cuDNN computes
  const EvenWindow rows_{s_.height}, columns_{s_.width};
};

template <ConvDirection kDirection>
struct Conv {
  static constexpr int kFirst = kDirection == ConvDirection::kBackpropInput ? 2 : 0;
  static constexpr int kSecond = kDirection == ConvDirection::kBackpropFilter ? 2 : 1;
  ConvOp op;

  static absl::StatusOr<Conv> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const ConvOp op, ConvOp::Create(node, kDirection));
    return Conv{op};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const ConvPlan plan, op.Plan(ctx));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, plan.output));
    if (out->num_elements() == 0) return absl::OkStatus();
    const Tensor& a = ctx.input(kFirst);
    const Tensor& b = ctx.input(kSecond);
    if (a.num_elements() == 0 || b.num_elements() == 0) {
      return cuda::ToStatus(cudaMemsetAsync(out->raw(), 0, out->bytes(), StreamOf(ctx)),
                            "clearing a convolution");
    }
    return Convolution(ctx, plan.sizes, kDirection, out->dtype()).Run(a, b, *out);
  }
};

}  // namespace

void RegisterCudaConv(KernelRegistry& kernels) {
  const DTypeSet with_int = kFloating | DTypeSet{kInt32};
  kernels.Add<Conv<ConvDirection::kForward>>("Conv2D", kGpu, {{"T", with_int}});
  kernels.Add<Conv<ConvDirection::kBackpropInput>>("Conv2DBackpropInput", kGpu, {{"T", with_int}},
                                                   HostMemory{"input_sizes"});
  kernels.Add<Conv<ConvDirection::kBackpropFilter>>("Conv2DBackpropFilter", kGpu,
                                                    {{"T", kFloating}}, HostMemory{"filter_sizes"});
}

}  // namespace sluice::kernels
#endif
