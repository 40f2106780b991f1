// SPDX-License-Identifier: Apache-2.0
// Fake quantisation: floats are rounded to the levels of an integer with few bits. The gradient of
// an element inside the range goes to the input, that of one outside to the range's end.
#include <algorithm>
#include <cmath>

#include "core/runtime/kernel_registry.h"
#include "kernels/common/quantized/fake_quant_levels.h"
#include "kernels/common/quantized/fake_quant_plan.h"
#include "kernels/common/round_each.h"
#include "kernels/cpu/quantized/register.h"

namespace sluice::kernels {
namespace {

void RoundAll(WorkQueue* pool, const Tensor& x, const FakeQuantLevels& levels, Tensor& y) {
  ParallelFor(pool, x.num_elements(), 2, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      y.mutable_data<float>()[i] = levels.Round(x.data<float>()[i]);
  });
}

// The range is an attribute.
template <bool kGradient>
struct FakeQuantArgs {
  FakeQuantLevels levels;

  static absl::StatusOr<FakeQuantArgs> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const FakeQuantRange range, FakeQuantRange::Create(node));
    return FakeQuantArgs{
        FakeQuantLevels::Of(range.min, range.max, range.options.bits, range.options.narrow)};
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
absl::StatusOr<std::vector<FakeQuantLevels>> ReadRanges(const Tensor& x, const Tensor& min,
                                                        const Tensor& max, bool per_channel,
                                                        const FakeQuantOptions& options) {
  SLUICE_ASSIGN(const int64_t channels, CheckRanges(x, min, max, per_channel));
  std::vector<FakeQuantLevels> levels;
  for (int64_t i = 0; i < channels; ++i) {
    levels.push_back(FakeQuantLevels::OfAny(min.data<float>()[i], max.data<float>()[i],
                                            options.bits, options.narrow));
  }
  return levels;
}

template <bool kPerChannel>
struct FakeQuantVars {
  FakeQuantOptions options;

  static absl::StatusOr<FakeQuantVars> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const FakeQuantOptions options, FakeQuantOptions::Create(node));
    return FakeQuantVars{options};
  }
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    SLUICE_ASSIGN(const std::vector<FakeQuantLevels> levels,
                  ReadRanges(x, ctx.input(1), ctx.input(2), kPerChannel, options));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, x.shape()));
    const auto channels = static_cast<int64_t>(levels.size());
    ParallelFor(ctx.pool(), x.num_elements(), 3, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const FakeQuantLevels& range = levels[i % channels];
        out->mutable_data<float>()[i] = range.Round(x.data<float>()[i]);
      }
    });
    return absl::OkStatus();
  }
};

template <bool kPerChannel>
struct FakeQuantVarsGradient {
  FakeQuantOptions options;

  static absl::StatusOr<FakeQuantVarsGradient> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const FakeQuantOptions options, FakeQuantOptions::Create(node));
    return FakeQuantVarsGradient{options};
  }
  absl::Status Run(KernelContext& ctx) const {
    const Tensor &gradient = ctx.input(0), &x = ctx.input(1);
    SLUICE_RETURN_IF_ERROR(CheckSameShape(gradient, x));
    SLUICE_ASSIGN(const std::vector<FakeQuantLevels> levels,
                  ReadRanges(x, ctx.input(2), ctx.input(3), kPerChannel, options));
    const auto channels = static_cast<int64_t>(levels.size());
    const Shape ends = kPerChannel ? Shape{channels} : Shape{};
    SLUICE_ASSIGN(Tensor * dx, ctx.AllocateOutput(0, x.shape()));
    SLUICE_ASSIGN(Tensor * dmin, ctx.AllocateOutput(1, ends));
    SLUICE_ASSIGN(Tensor * dmax, ctx.AllocateOutput(2, ends));
    std::vector<double> below(channels, 0), above(channels, 0);
    for (int64_t i = 0; i < x.num_elements(); ++i) {
      const FakeQuantLevels& range = levels[i % channels];
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
