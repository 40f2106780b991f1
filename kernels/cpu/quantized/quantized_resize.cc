// SPDX-License-Identifier: Apache-2.0
// QuantizedResizeBilinear. The range stays.
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/runtime/kernel_registry.h"
#include "kernels/common/round_each.h"
#include "kernels/cpu/image/resample.h"
#include "kernels/cpu/quantized/level_range.h"
#include "kernels/cpu/quantized/register.h"

namespace sluice::kernels {
namespace {

// The neighbours of a position: top left, top right, bottom left, bottom right.
template <typename W>
struct Square {
  W values[4];

  // The value at a distance from the top left one. Distances count steps of 1 / one.
  template <W one>
  W Fixed(W x, W y) const {
    const auto [top_left, top_right, bottom_left, bottom_right] = values;
    const W top = top_left * one + (top_right - top_left) * x;
    const W bottom = bottom_left * one + (bottom_right - bottom_left) * x;
    return (top + (bottom - top) / one * y + one / 2) / one;
  }
  W At(W x, W y) const {
    const auto [top_left, top_right, bottom_left, bottom_right] = values;
    const W top = top_left + (top_right - top_left) * x;
    const W bottom = bottom_left + (bottom_right - bottom_left) * x;
    return top + (bottom - top) * y;
  }
};

// Levels are mixed as integers.
struct MixLevels {
  using Weight = int32_t;
  static constexpr int32_t kOne = 1 << 7;
  uint8_t operator()(const Square<uint8_t>& s, int32_t x, int32_t y) const {
    const Square<int32_t> wide{{s.values[0], s.values[1], s.values[2], s.values[3]}};
    return static_cast<uint8_t>(wide.Fixed<kOne>(x, y));
  }
};
// TensorFlow rounds 32-bit levels to floats first.
struct MixWideLevels {
  using Weight = int64_t;
  static constexpr int64_t kOne = 1 << 30;
  int32_t operator()(const Square<int32_t>& s, int64_t x, int64_t y) const {
    Square<int64_t> wide;
    for (int i = 0; i < 4; ++i)
      wide.values[i] = static_cast<int64_t>(static_cast<float>(s.values[i]));
    return static_cast<int32_t>(wide.Fixed<kOne>(x, y));
  }
};
struct MixFloats {
  using Weight = float;
  static constexpr float kOne = 1;
  float operator()(const Square<float>& s, float x, float y) const { return s.At(x, y); }
};

// The two neighbours of a position along one dimension, and the weight of the second.
template <typename W>
struct Neighbours {
  int64_t first, second;
  W weight;
};
template <typename W>
std::vector<Neighbours<W>> FindNeighbours(int64_t in, int64_t out, const ResizeScale& scale,
                                          W one) {
  std::vector<Neighbours<W>> all(out);
  for (int64_t i = 0; i < out; ++i) {
    const float at = scale(i), below = std::floor(at);
    const int64_t second = std::min(static_cast<int64_t>(std::ceil(at)), in - 1);
    const int64_t first = std::min(std::max<int64_t>(static_cast<int64_t>(below), 0), second);
    all[i] = {first, second, static_cast<W>((at - below) * static_cast<float>(one))};
  }
  return all;
}

struct QuantizedResizeBilinear {
  bool align_corners, half_pixel_centers;

  static absl::StatusOr<QuantizedResizeBilinear> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const bool corners, node.Get<bool>("align_corners"));
    return QuantizedResizeBilinear{corners, GetAttrOr(node.attrs, "half_pixel_centers", false)};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& images = ctx.input(0);
    SLUICE_ASSIGN(const LevelRange range, LevelRange::ReadScalars(ctx, 2, "min", "max"));
    SLUICE_RETURN_IF_ERROR(CheckImagesToResize("input", images));
    SLUICE_ASSIGN(const ImageSize size, ReadImageSize(ctx.input(1)));
    SLUICE_ASSIGN(const Shape shape,
                  Shape::Create({images.dim(0), size.height, size.width, images.dim(3)}));
    range.Write(ctx);
    if (size.height == images.dim(1) && size.width == images.dim(2)) {
      ctx.SetOutput(0, images);
      return absl::OkStatus();
    }
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    switch (images.dtype()) {
      case kQuint8:
        Resize<uint8_t>(ctx, images, MixLevels(), *out);
        break;
      case kQint32:
        Resize<int32_t>(ctx, images, MixWideLevels(), *out);
        break;
      default:
        Resize<float>(ctx, images, MixFloats(), *out);
    }
    return absl::OkStatus();
  }

 private:
  template <typename Value, typename Mix>
  void Resize(KernelContext& ctx, const Tensor& images, const Mix& mix, Tensor& out) const {
    using W = typename Mix::Weight;
    const auto neighbours = [&](int d) {
      const ResizeScale scale(images.dim(d), out.dim(d), align_corners, half_pixel_centers);
      return FindNeighbours<W>(images.dim(d), out.dim(d), scale, Mix::kOne);
    };
    const std::vector<Neighbours<W>> rows = neighbours(1), columns = neighbours(2);
    const int64_t channels = images.dim(3), in_row = images.dim(2) * channels;
    const int64_t out_rows = out.dim(1), out_row = out.dim(2) * channels;
    const auto* from = images.data<Value>();
    auto* to = out.mutable_data<Value>();
    ParallelFor(ctx.pool(), images.dim(0) * out_rows, 3.0 * static_cast<double>(out_row),
                [&](int64_t begin, int64_t end) {
                  for (int64_t row = begin; row < end; ++row) {
                    const Neighbours<W>& y = rows[row % out_rows];
                    const auto* image = from + row / out_rows * images.dim(1) * in_row;
                    const auto *top = image + y.first * in_row, *bottom = image + y.second * in_row;
                    auto* at = to + row * out_row;
                    for (const Neighbours<W>& x : columns) {
                      const int64_t left = x.first * channels, right = x.second * channels;
                      for (int64_t c = 0; c < channels; ++c) {
                        const Square<Value> square{
                            {top[left + c], top[right + c], bottom[left + c], bottom[right + c]}};
                        *at++ = mix(square, x.weight, y.weight);
                      }
                    }
                  }
                });
  }
};

}  // namespace

void RegisterQuantizedResize(KernelRegistry& kernels) {
  kernels.Add<QuantizedResizeBilinear>("QuantizedResizeBilinear", kCpu,
                                       {{"T", {kQuint8, kQint32, kFloat}}});
}

}  // namespace sluice::kernels
