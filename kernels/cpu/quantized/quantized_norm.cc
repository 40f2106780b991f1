// SPDX-License-Identifier: Apache-2.0
// Normalisation of quantised images, with given statistics or with those of each image.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/runtime/kernel_registry.h"
#include "kernels/common/round_each.h"
#include "kernels/cpu/quantized/level_range.h"
#include "kernels/cpu/quantized/register.h"

namespace sluice::kernels {
namespace {

// In fixed point: 32-bit levels between -2^20 and 2^20.
struct QuantizedBatchNorm {
  float epsilon;
  bool scale;  // whether to multiply by gamma

  static absl::StatusOr<QuantizedBatchNorm> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const float epsilon, node.Get<float>("variance_epsilon"));
    SLUICE_ASSIGN(const bool scale, node.Get<bool>("scale_after_normalization"));
    return QuantizedBatchNorm{epsilon, scale};
  }

  // Each tensor is followed by its range: images, means, variances, beta, gamma.
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& images = ctx.input(0);
    LevelRange ranges[5];
    for (int i = 0; i < 5; ++i) {
      SLUICE_ASSIGN(ranges[i], LevelRange::Read(ctx, 3 * i + 1));
    }
    SLUICE_RETURN_IF_ERROR(Check(ctx));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, images.shape()));
    const int64_t channels = images.dim(3);
    const auto value = [&](int i, int64_t c) {
      return LevelToFloat(ctx.input(3 * i).data<Quint8>()[c], ranges[i].min, ranges[i].max);
    };
    std::vector<uint32_t> factor(channels), shift(channels);
    for (int64_t c = 0; c < channels; ++c) {
      float by = 1.0f / std::sqrt(value(2, c) + epsilon);
      if (scale) by *= value(4, c);
      factor[c] = Fixed(by);
      shift[c] = Fixed(-value(1, c) * by + value(3, c));
    }
    uint32_t levels[256];
    for (int i = 0; i < 256; ++i) {
      levels[i] =
          Fixed(LevelToFloat(Quint8{static_cast<uint8_t>(i)}, ranges[0].min, ranges[0].max));
    }
    const auto one = static_cast<int32_t>(Fixed(1.0f));
    const auto* from = images.data<uint8_t>();
    auto* to = out->mutable_data<uint32_t>();
    ParallelFor(ctx.pool(), channels == 0 ? 0 : images.num_elements() / channels,
                3.0 * static_cast<double>(channels), [&](int64_t begin, int64_t end) {
                  for (int64_t row = begin; row < end; ++row) {
                    for (int64_t c = 0; c < channels; ++c) {
                      const int64_t at = row * channels + c;
                      const auto product = static_cast<int32_t>(levels[from[at]] * factor[c]);
                      to[at] = static_cast<uint32_t>(product / one) + shift[c];
                    }
                  }
                });
    kRange.Write(ctx);
    return absl::OkStatus();
  }

 private:
  static constexpr LevelRange kRange{-(1 << 20), 1 << 20};

  static uint32_t Fixed(float x) {
    return static_cast<uint32_t>(FloatToLevel<Qint32>(x, kRange.min, kRange.max).value);
  }
  static absl::Status Check(const KernelContext& ctx) {
    const Tensor& images = ctx.input(0);
    if (images.rank() != 4) return InvalidArgument("input must be 4-dimensional", images.shape());
    static constexpr const char* kNames[] = {"mean", "var", "beta", "gamma"};
    for (int i = 0; i < 4; ++i) {
      const Shape& shape = ctx.input(3 * i + 3).shape();
      if (shape.rank() != 1) return InvalidArgument(kNames[i], " must be 1-dimensional", shape);
      if (shape.dim(0) == images.dim(3)) continue;
      return InvalidArgument(kNames[i], " must have ", images.dim(3), " elements, but has ",
                             shape.dim(0));
    }
    return absl::OkStatus();
  }
};

// Each channel of each image gets mean 0 and variance 1.
struct QuantizedInstanceNorm {
  float epsilon, least_range;
  bool range_given;
  LevelRange given;

  static absl::StatusOr<QuantizedInstanceNorm> Create(const NodeSpec& node) {
    QuantizedInstanceNorm norm{};
    SLUICE_ASSIGN(norm.epsilon, node.Get<float>("variance_epsilon"));
    SLUICE_ASSIGN(norm.least_range, node.Get<float>("min_separation"));
    SLUICE_ASSIGN(norm.range_given, node.Get<bool>("output_range_given"));
    SLUICE_ASSIGN(norm.given.min, node.Get<float>("given_y_min"));
    SLUICE_ASSIGN(norm.given.max, node.Get<float>("given_y_max"));
    if (norm.range_given && !(norm.given.min < norm.given.max)) {
      return InvalidArgument("given_y_min must be less than given_y_max : ", norm.given.min,
                             " >= ", norm.given.max);
    }
    return norm;
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& images = ctx.input(0);
    SLUICE_ASSIGN(const LevelRange range, LevelRange::ReadScalars(ctx, 1, "x_min", "x_max"));
    if (!(range.min < range.max)) {
      return InvalidArgument("input_min must be less than input_max : ", range.min,
                             " >= ", range.max);
    }
    if (images.rank() != 4) return InvalidArgument("input must be 4-dimensional", images.shape());
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, images.shape()));
    const int64_t channels = images.dim(3), size = images.dim(1) * images.dim(2) * channels;
    SLUICE_ASSIGN(Tensor wide, ctx.AllocateTemporary(kFloat, images.shape()));
    const float step = (range.max - range.min) / 255.0f;
    ParallelFor(ctx.pool(), images.dim(0), 3.0 * static_cast<double>(size),
                [&](int64_t begin, int64_t end) {
                  for (int64_t i = begin; i < end; ++i) {
                    Normalise(images.data<uint8_t>() + i * size, size, channels, step,
                              wide.mutable_data<float>() + i * size);
                  }
                });
    const LevelRange to = ResultRange(wide.flat<float>());
    const LevelOfFloat<Quint8> level(to.min, to.max);
    const auto* from = wide.data<float>();
    auto* levels = out->mutable_data<Quint8>();
    ParallelFor(ctx.pool(), wide.num_elements(), 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) levels[i] = level(from[i]);
    });
    to.Write(ctx);
    return absl::OkStatus();
  }

 private:
  void Normalise(const uint8_t* image, int64_t size, int64_t channels, float step,
                 float* out) const {
    if (size == 0) return;
    const auto pixels = static_cast<float>(size / channels);
    std::vector<float> mean(channels), factor(channels);
    std::vector<double> sums(channels);
    for (int64_t i = 0; i < size; i += channels) {
      for (int64_t c = 0; c < channels; ++c) sums[c] += image[i + c];
    }
    for (int64_t c = 0; c < channels; ++c) mean[c] = static_cast<float>(sums[c]) / pixels;
    std::fill(sums.begin(), sums.end(), 0);
    for (int64_t i = 0; i < size; i += channels) {
      for (int64_t c = 0; c < channels; ++c) {
        out[i + c] = step * (static_cast<float>(image[i + c]) - mean[c]);
        sums[c] += static_cast<double>(out[i + c] * out[i + c]);
      }
    }
    for (int64_t c = 0; c < channels; ++c)
      factor[c] = 1.0f / std::sqrt(static_cast<float>(sums[c]) / pixels + epsilon);
    for (int64_t i = 0; i < size; i += channels) {
      for (int64_t c = 0; c < channels; ++c) out[i + c] *= factor[c];
    }
  }
  LevelRange ResultRange(absl::Span<const float> values) const {
    LevelRange range = given;
    if (!range_given) {
      constexpr float kInfinity = std::numeric_limits<float>::infinity();
      range = {kInfinity, -kInfinity};
      for (float v : values) range = {std::min(range.min, v), std::max(range.max, v)};
    }
    if (range.max - range.min < least_range) range.max = range.min + least_range;
    return range;
  }
};

}  // namespace

void RegisterQuantizedNorm(KernelRegistry& kernels) {
  kernels.Add<QuantizedBatchNorm>("QuantizedBatchNormWithGlobalNormalization", kCpu,
                                  {{"Tinput", kQuint8}, {"out_type", kQint32}});
  kernels.Add<QuantizedInstanceNorm>("QuantizedInstanceNorm", kCpu, {{"T", kQuint8}});
}

}  // namespace sluice::kernels
