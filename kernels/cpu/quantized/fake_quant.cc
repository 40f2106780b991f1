// SPDX-License-Identifier: Apache-2.0
// Fake quantisation: floats are rounded to the levels of an integer with few bits. The gradient of
// an element inside the range goes to the input, that of one outside to the range's end.
#include <algorithm>
#include <cmath>

#include "core/runtime/kernel_registry.h"
#include "kernels/common/round_each.h"
#include "kernels/cpu/quantized/register.h"

namespace sluice::kernels {
namespace {

// The levels of a range, shifted so that zero is one of them.
struct Levels {
  float low, high, scale;

  static Levels Of(float min, float max, int bits, bool narrow) {
    const float first = narrow ? 1.0f : 0.0f, last = static_cast<float>((1 << bits) - 1);
    const float scale = (max - min) / (last - first);
    const float zero = first - min / scale;
    const float nudged = zero < first ? first : zero > last ? last : std::round(zero);
    return {(first - nudged) * scale, (last - nudged) * scale, scale};
  }
  float Round(float x) const {
    const float clamped = std::max(std::min(x, high), low);
    return std::floor((clamped - low) * (1.0f / scale) + 0.5f) * scale + low;
  }
  bool Inside(float x) const { return x >= low && x <= high; }
};

struct Options {
  int bits;
  bool narrow;

  static absl::StatusOr<Options> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const int64_t bits, node.Get<int64_t>("num_bits"));
    SLUICE_ASSIGN(const bool narrow, node.Get<bool>("narrow_range"));
    if (bits < 2 || bits > 16)
      return InvalidArgument("num_bits must be between 2 and 16, inclusive, was: ", bits);
    return Options{static_cast<int>(bits), narrow};
  }
};

void RoundAll(WorkQueue* pool, const Tensor& x, const Levels& levels, Tensor& y) {
  ParallelFor(pool, x.num_elements(), 2, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      y.mutable_data<float>()[i] = levels.Round(x.data<float>()[i]);
  });
}

absl::Status CheckSameShape(const Tensor& gradient, const Tensor& x) {
  if (gradient.shape() == x.shape()) return absl::OkStatus();
  return InvalidArgument("gradient and input must be the same size, got ", gradient.shape(),
                         " and ", x.shape());
}

// The range is an attribute.
template <bool kGradient>
struct FakeQuantArgs {
  Levels levels;

  static absl::StatusOr<FakeQuantArgs> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const Options options, Options::Create(node));
    SLUICE_ASSIGN(const float min, node.Get<float>("min"));
    SLUICE_ASSIGN(const float max, node.Get<float>("max"));
    if (!(min < max))
      return InvalidArgument("min has to be smaller than max, was: ", min, " >= ", max);
    return FakeQuantArgs{Levels::Of(min, max, options.bits, options.narrow)};
  }
  absl::Status Run(KernelContext& ctx) const {
    if constexpr (kGradient) {
      const Tensor &gradient = ctx.input(0), &x = ctx.input(1);
      SLUICE_RETURN_IF_ERROR(CheckSameShape(gradient, x));
      SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, x.shape()));
      for (int64_t i = 0; i < x.num_elements(); ++i) {
        out->mutable_data<float>()[i] =
            levels.Inside(x.data<float>()[i]) ? gradient.data<float>()[i] : 0.0f;
      }
    } else {
      SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, ctx.input(0).shape()));
      RoundAll(ctx.pool(), ctx.input(0), levels, *out);
    }
    return absl::OkStatus();
  }
};

// The ranges of min and max: one for all, or one for each index of the last dimension.
absl::StatusOr<std::vector<Levels>> ReadRanges(const Tensor& x, const Tensor& min,
                                               const Tensor& max, bool per_channel,
                                               const Options& options) {
  if (per_channel && x.rank() < 1)
    return InvalidArgument("inputs must be at least a vector, got ", x.shape());
  const Shape wanted = per_channel ? Shape{x.dim(x.rank() - 1)} : Shape{};
  for (const Tensor* t : {&min, &max}) {
    // A tensor of one element is accepted as a scalar.
    if (t->shape() == wanted || (!per_channel && t->num_elements() == 1)) continue;
    const char* name = t == &min ? "min" : "max";
    if (t->rank() != wanted.rank()) {
      return InvalidArgument("`", name, "` must be rank ", wanted.rank(), " but is rank ",
                             t->rank());
    }
    return InvalidArgument(name, " has incorrect size, expected ", wanted.num_elements(), " was ",
                           t->num_elements());
  }
  std::vector<Levels> levels;
  for (int64_t i = 0; i < wanted.num_elements(); ++i) {
    const float low = min.data<float>()[i], high = max.data<float>()[i];
    // The range is empty: everything is zero. `scale` 0 marks this.
    levels.push_back(low == 0.0f && high == 0.0f
                         ? Levels{0, 0, 0}
                         : Levels::Of(low, high, options.bits, options.narrow));
  }
  return levels;
}

template <bool kPerChannel>
struct FakeQuantVars {
  Options options;

  static absl::StatusOr<FakeQuantVars> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const Options options, Options::Create(node));
    return FakeQuantVars{options};
  }
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    SLUICE_ASSIGN(const std::vector<Levels> levels,
                  ReadRanges(x, ctx.input(1), ctx.input(2), kPerChannel, options));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, x.shape()));
    const auto channels = static_cast<int64_t>(levels.size());
    ParallelFor(ctx.pool(), x.num_elements(), 3, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const Levels& range = levels[i % channels];
        out->mutable_data<float>()[i] =
            range.scale == 0.0f ? 0.0f : range.Round(x.data<float>()[i]);
      }
    });
    return absl::OkStatus();
  }
};

template <bool kPerChannel>
struct FakeQuantVarsGradient {
  Options options;

  static absl::StatusOr<FakeQuantVarsGradient> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const Options options, Options::Create(node));
    return FakeQuantVarsGradient{options};
  }
  absl::Status Run(KernelContext& ctx) const {
    const Tensor &gradient = ctx.input(0), &x = ctx.input(1);
    SLUICE_RETURN_IF_ERROR(CheckSameShape(gradient, x));
    SLUICE_ASSIGN(const std::vector<Levels> levels,
                  ReadRanges(x, ctx.input(2), ctx.input(3), kPerChannel, options));
    const auto channels = static_cast<int64_t>(levels.size());
    const Shape ends = kPerChannel ? Shape{channels} : Shape{};
    SLUICE_ASSIGN(Tensor * dx, ctx.AllocateOutput(0, x.shape()));
    SLUICE_ASSIGN(Tensor * dmin, ctx.AllocateOutput(1, ends));
    SLUICE_ASSIGN(Tensor * dmax, ctx.AllocateOutput(2, ends));
    std::vector<double> below(channels, 0), above(channels, 0);
    for (int64_t i = 0; i < x.num_elements(); ++i) {
      const Levels& range = levels[i % channels];
      const float value = x.data<float>()[i], g = gradient.data<float>()[i];
      const bool passes = range.scale == 0.0f || range.Inside(value);
      dx->mutable_data<float>()[i] = passes ? g : 0.0f;
      if (range.scale == 0.0f) continue;
      if (value < range.low) below[i % channels] += g;
      if (value > range.high) above[i % channels] += g;
    }
    std::copy(below.begin(), below.end(), dmin->mutable_data<float>());
    std::copy(above.begin(), above.end(), dmax->mutable_data<float>());
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterFakeQuant(KernelRegistry& kernels) {
  kernels.Add<FakeQuantArgs<false>>("FakeQuantWithMinMaxArgs", kCpu);
  kernels.Add<FakeQuantArgs<true>>("FakeQuantWithMinMaxArgsGradient", kCpu);
  kernels.Add<FakeQuantVars<false>>("FakeQuantWithMinMaxVars", kCpu);
  kernels.Add<FakeQuantVars<true>>("FakeQuantWithMinMaxVarsPerChannel", kCpu);
  kernels.Add<FakeQuantVarsGradient<false>>("FakeQuantWithMinMaxVarsGradient", kCpu);
  kernels.Add<FakeQuantVarsGradient<true>>("FakeQuantWithMinMaxVarsPerChannelGradient", kCpu);
}

}  // namespace sluice::kernels
