// SPDX-License-Identifier: Apache-2.0
// Colours of images: contrast, hue, saturation, and the conversion between RGB and HSV (Smith
// 1978).
#include <algorithm>
#include <array>
#include <cmath>

#include "core/runtime/kernel_registry.h"
#include "kernels/common/round_each.h"
#include "kernels/cpu/image/register.h"

namespace sluice::kernels {
namespace {

template <typename F>
using Colour = std::array<F, 3>;

// Hue, saturation and value in [0, 1] of red, green and blue.
template <typename F>
Colour<F> ToHsv(const Colour<F>& rgb) {
  const auto [r, g, b] = rgb;
  const F value = std::max({r, g, b}), range = value - std::min({r, g, b});
  const F saturation = value > 0 ? range / value : F(0);
  if (!(range > 0)) return {F(0), saturation, value};
  const F by = F(1) / (6 * range);
  F hue = r == value   ? by * (g - b)
          : g == value ? by * (b - r) + F(2) / 6
                       : by * (r - g) + F(4) / 6;
  if (hue < 0) hue += 1;
  return {hue, saturation, value};
}

template <typename F>
Colour<F> ToRgb(const Colour<F>& hsv) {
  const F h = hsv[0] * 6, saturation = hsv[1], value = hsv[2];
  const auto channel = [&](F share) {
    return (1 - saturation + saturation * std::clamp(share, F(0), F(1))) * value;
  };
  return {channel(std::abs(h - 3) - 1), channel(2 - std::abs(h - 2)), channel(2 - std::abs(h - 4))};
}

// Applies fn to every pixel of an image of type T whose channels lie last.
template <typename T, typename Fn>
void ForEachColour(KernelContext& ctx, const Tensor& in, Tensor& out, const Fn& fn) {
  using F = ComputeType<T>;
  const T* from = in.data<T>();
  T* const to = out.mutable_data<T>();
  ParallelFor(ctx.pool(), in.num_elements() / 3, 15, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const Colour<F> colour =
          fn(Colour<F>{static_cast<F>(from[3 * i]), static_cast<F>(from[3 * i + 1]),
                       static_cast<F>(from[3 * i + 2])});
      std::transform(colour.begin(), colour.end(), to + 3 * i,
                     [](F channel) { return T(channel); });
    }
  });
}

template <bool kToHsv>
struct ConvertColours {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& in = ctx.input(0);
    if (in.rank() < 1) return InvalidArgument("input must be at least 1D", in.shape());
    if (in.dim(in.rank() - 1) != 3) {
      return FailedPrecondition("input must have 3 channels but input only has ",
                                in.dim(in.rank() - 1), " channels.");
    }
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, in.shape()));
    return VisitDType(FloatingTypes{}, in.dtype(), [&]<typename T>(Type<T>) {
      ForEachColour<T>(ctx, in, *out, kToHsv ? &ToHsv<ComputeType<T>> : &ToRgb<ComputeType<T>>);
      return absl::OkStatus();
    });
  }
};

// Images with any number of leading dimensions, then height, width and channels.
absl::Status CheckImages(const Tensor& images) {
  if (images.rank() >= 3) return absl::OkStatus();
  return InvalidArgument("input must be at least 3-D, got shape", images.shape());
}

absl::StatusOr<float> ScalarOf(const char* name, const Tensor& t) {
  if (t.rank() != 0) return InvalidArgument(name, " must be scalar: ", t.shape());
  return t.scalar<float>();
}

absl::Status CheckColours(const Tensor& images) {
  SLUICE_RETURN_IF_ERROR(CheckImages(images));
  const int64_t channels = images.dim(images.rank() - 1);
  if (channels == 3) return absl::OkStatus();
  return InvalidArgument("input must have 3 channels but instead has ", channels, " channels.");
}

using Images = TypeList<Half, float>;  // types whose hue and saturation may be adjusted

struct AdjustHue {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& in = ctx.input(0);
    SLUICE_ASSIGN(const float delta, ScalarOf("delta", ctx.input(1)));
    SLUICE_RETURN_IF_ERROR(CheckColours(in));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, in.shape()));
    const auto adjust = [delta](const Colour<float>& rgb) {
      Colour<float> hsv = ToHsv(rgb);
      hsv[0] += delta;
      hsv[0] -= std::floor(hsv[0]);
      // A change of saturation would divide by the value and multiply again; the value may be 0 or
      // negative.
      const float largest = std::max({rgb[0], rgb[1], rgb[2]});
      const float range = largest - std::min({rgb[0], rgb[1], rgb[2]});
      const Colour<float> share = ToRgb<float>({hsv[0], 1, 1});
      return Colour<float>{largest - range * (1 - share[0]), largest - range * (1 - share[1]),
                           largest - range * (1 - share[2])};
    };
    return VisitDType(Images{}, in.dtype(), [&]<typename T>(Type<T>) {
      ForEachColour<T>(ctx, in, *out, adjust);
      return absl::OkStatus();
    });
  }
};

struct AdjustSaturation {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& in = ctx.input(0);
    SLUICE_ASSIGN(const float scale, ScalarOf("scale", ctx.input(1)));
    SLUICE_RETURN_IF_ERROR(CheckColours(in));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, in.shape()));
    const auto adjust = [scale](const Colour<float>& rgb) {
      Colour<float> hsv = ToHsv(rgb);
      hsv[1] = std::min(1.0F, std::max(0.0F, hsv[1] * scale));
      return ToRgb(hsv);
    };
    return VisitDType(Images{}, in.dtype(), [&]<typename T>(Type<T>) {
      ForEachColour<T>(ctx, in, *out, adjust);
      return absl::OkStatus();
    });
  }
};

// Scales distances from each channel's mean over the image. The first version clips.
struct AdjustContrast {
  bool clips;

  static absl::StatusOr<AdjustContrast> Create(const NodeSpec& node) {
    return AdjustContrast{node.op == "AdjustContrast"};
  }

  struct Terms {
    float factor, low, high;
  };

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& in = ctx.input(0);
    SLUICE_RETURN_IF_ERROR(CheckImages(in));
    Terms terms{};
    SLUICE_ASSIGN(terms.factor, ScalarOf("contrast_factor", ctx.input(1)));
    if (clips) {
      SLUICE_ASSIGN(terms.low, ScalarOf("min_value", ctx.input(2)));
      SLUICE_ASSIGN(terms.high, ScalarOf("max_value", ctx.input(3)));
    }
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, in.shape()));
    if (in.num_elements() == 0) return absl::OkStatus();
    const int rank = in.rank();
    const int64_t channels = in.dim(rank - 1);
    const int64_t pixels = in.dim(rank - 3) * in.dim(rank - 2), image = pixels * channels;
    return VisitDType(RealTypes{}, in.dtype(), [&]<typename T>(Type<T>) -> absl::Status {
      // The result is float, or has the type of the images.
      const auto adjust = [&]<typename Out>(Out* to) {
        ParallelFor(ctx.pool(), in.num_elements() / image, 2.0 * image,
                    [&](int64_t begin, int64_t end) {
                      for (int64_t n = begin; n < end; ++n) {
                        Image(in.data<T>() + n * image, pixels, channels, terms, to + n * image);
                      }
                    });
      };
      if constexpr (kIsNarrowFloat<T>) {
        if (!clips) {
          adjust(out->mutable_data<T>());
          return absl::OkStatus();
        }
      }
      adjust(out->mutable_data<float>());
      return absl::OkStatus();
    });
  }

  template <typename T, typename Out>
  void Image(const T* in, int64_t pixels, int64_t channels, const Terms& terms, Out* out) const {
    std::vector<double> sums(channels);
    for (int64_t p = 0; p < pixels; ++p) {
      for (int64_t c = 0; c < channels; ++c) sums[c] += static_cast<float>(in[p * channels + c]);
    }
    for (int64_t p = 0; p < pixels; ++p) {
      for (int64_t c = 0; c < channels; ++c, ++in, ++out) {
        const auto mean = static_cast<float>(sums[c] / static_cast<double>(pixels));
        const float value = (static_cast<float>(*in) - mean) * terms.factor + mean;
        *out = Out(clips ? std::max(std::min(value, terms.high), terms.low) : value);
      }
    }
  }
};

}  // namespace

void RegisterColours(KernelRegistry& kernels) {
  kernels.Add<ConvertColours<true>>("RGBToHSV", kCpu, {{"T", kFloating}});
  kernels.Add<ConvertColours<false>>("HSVToRGB", kCpu, {{"T", kFloating}});
  kernels.Add<AdjustHue>("AdjustHue", kCpu, {{"T", SetOf(Images{})}});
  kernels.Add<AdjustSaturation>("AdjustSaturation", kCpu, {{"T", SetOf(Images{})}});
  kernels.Add<AdjustContrast>("AdjustContrastv2", kCpu, {{"T", {kHalf, kFloat}}});
  kernels.Add<AdjustContrast>("AdjustContrast", kCpu,
                              {{"T", {kFloat, kDouble, kUint8, kInt8, kInt16, kInt32, kInt64}}});
}

}  // namespace sluice::kernels
