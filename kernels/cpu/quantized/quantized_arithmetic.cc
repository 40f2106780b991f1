// SPDX-License-Identifier: Apache-2.0
// Sums and products of quantised tensors, as 32-bit levels: QuantizedAdd, QuantizedMul,
// QuantizedBiasAdd.
#include <vector>

#include "core/runtime/kernel_registry.h"
#include "kernels/common/broadcast.h"
#include "kernels/common/nn/bias_plan.h"
#include "kernels/common/round_each.h"
#include "kernels/cpu/quantized/level_range.h"
#include "kernels/cpu/quantized/register.h"

namespace sluice::kernels {
namespace {

// A level as a factor or a summand: times * level + plus, in 32 bits, which wrap.
struct Term {
  uint32_t times, plus;
  uint32_t operator()(Quint8 level) const { return times * level.value + plus; }
};

// The levels of `from` as those of a range of 32-bit levels. The first level and the first step
// decide for all levels.
Term Widened(LevelRange from, LevelRange to) {
  const auto wide = [&](uint8_t level) {
    return static_cast<uint32_t>(
        LevelIn32Bits<Qint32>(LevelToFloat(Quint8{level}, from.min, from.max), to.min, to.max));
  };
  return {wide(1) - wide(0), wide(0)};
}

// The sum with a scalar: its own level decides.
Term WidenedScalar(Quint8 level, LevelRange from, LevelRange to) {
  const float value = LevelToFloat(level, from.min, from.max);
  return {0, static_cast<uint32_t>(FloatToLevel<Qint32>(value, to.min, to.max).value)};
}

// Sums: zero is a level in the middle, and the operands use a 2^14th part of the range.
LevelRange RangeOfSums(LevelRange x, LevelRange y) {
  const float largest =
      std::max(std::abs(std::min(x.min, y.min)), std::abs(std::max(x.max, y.max))) * (1 << 14);
  return {-largest, largest};
}

template <bool kProduct>
struct QuantizedBinary {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor &x = ctx.input(0), &y = ctx.input(1);
    SLUICE_ASSIGN(const BroadcastPlan plan, PlanBroadcast({&x.shape(), &y.shape()}));
    SLUICE_ASSIGN(const LevelRange x_range, LevelRange::ReadScalars(ctx, 2, "min_x", "max_x"));
    SLUICE_ASSIGN(const LevelRange y_range, LevelRange::ReadScalars(ctx, 4, "min_y", "max_y"));
    SLUICE_RETURN_IF_ERROR(x_range.CheckNotEmpty("x"));
    SLUICE_RETURN_IF_ERROR(y_range.CheckNotEmpty("y"));
    if (plan.dims.size() > 2) {
      return Unimplemented("Broadcast between ", x.shape(), " and ", y.shape(),
                           " is not supported yet.");
    }
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, plan.shape));
    if constexpr (kProduct) {
      const auto zero = [](LevelRange r) { return -static_cast<uint32_t>(ZeroLevel<Quint8>(r)); };
      Combine(ctx, plan, Term{1, zero(x_range)}, Term{1, zero(y_range)}, *out,
              [](uint32_t a, uint32_t b) { return a * b; });
      RangeOfProducts<Quint8, Quint8>(x_range, y_range).Write(ctx);
    } else {
      const LevelRange range = RangeOfSums(x_range, y_range);
      Term x_term = Widened(x_range, range), y_term = Widened(y_range, range);
      if (x.num_elements() == 1)
        x_term = WidenedScalar(x.scalar<Quint8>(), x_range, range);
      else if (y.num_elements() == 1)
        y_term = WidenedScalar(y.scalar<Quint8>(), y_range, range);
      Combine(ctx, plan, x_term, y_term, *out, [](uint32_t a, uint32_t b) { return a + b; });
      range.Write(ctx);
    }
    return absl::OkStatus();
  }

 private:
  template <typename Fn>
  static void Combine(KernelContext& ctx, const BroadcastPlan& plan, Term x, Term y, Tensor& out,
                      const Fn& fn) {
    const Quint8 *a = ctx.input(0).data<Quint8>(), *b = ctx.input(1).data<Quint8>();
    auto* to = out.mutable_data<uint32_t>();
    const int64_t step_a = plan.dims.back().stride[0], step_b = plan.dims.back().stride[1];
    ParallelFor(ctx.pool(), out.num_elements(), 0.3, [&](int64_t begin, int64_t end) {
      WalkRuns(plan, begin, end, [&](int64_t at, const Offsets& offsets, int64_t n) {
        const Quint8 *from_a = a + offsets[0], *from_b = b + offsets[1];
        if (step_a == 1 && step_b == 1) {
          for (int64_t i = 0; i < n; ++i) to[at + i] = fn(x(from_a[i]), y(from_b[i]));
        } else if (step_a == 1) {
          const uint32_t same = y(*from_b);
          for (int64_t i = 0; i < n; ++i) to[at + i] = fn(x(from_a[i]), same);
        } else if (step_b == 1) {
          const uint32_t same = x(*from_a);
          for (int64_t i = 0; i < n; ++i) to[at + i] = fn(same, y(from_b[i]));
        } else {
          std::fill_n(to + at, n, fn(x(*from_a), y(*from_b)));
        }
      });
    });
  }
};

// Adds a vector to each row. The operands use a 2^17th part of the range.
struct QuantizedBiasAdd {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor &in = ctx.input(0), &bias = ctx.input(1);
    SLUICE_ASSIGN(const LevelRange in_range,
                  LevelRange::ReadScalars(ctx, 2, "min_input", "max_input"));
    SLUICE_ASSIGN(const LevelRange bias_range,
                  LevelRange::ReadScalars(ctx, 4, "min_bias", "max_bias"));
    SLUICE_ASSIGN(const BiasPlan plan, BiasPlan::OfAdd(in.shape(), bias.shape(), false));
    if (bias.num_elements() == 0) return InvalidArgument("Must provide at least 1 bias");
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, in.shape()));
    const float largest =
        std::max(std::max(in_range.max, -in_range.min), std::max(bias_range.max, -bias_range.min)) *
        (1 << 17);
    const LevelRange range{-largest, largest};
    range.Write(ctx);
    return VisitDType(TypeList<Qint8, Quint8>{}, in.dtype(), [&]<typename Q>(Type<Q>) {
      const auto zero = static_cast<uint32_t>(FloatToLevel<Qint32>(0, range.min, range.max).value);
      const std::vector<uint32_t> wide_in = Widened8<Q>(in_range, range);
      const std::vector<uint32_t> wide_bias = Widened8<Q>(bias_range, range);
      std::vector<uint32_t> added(plan.channels);
      for (int64_t c = 0; c < plan.channels; ++c)
        added[c] = wide_bias[IndexOf(bias.data<Q>()[c])] + zero;
      const Q* from = in.data<Q>();
      auto* to = out->mutable_data<uint32_t>();
      ParallelFor(ctx.pool(), plan.outer, 0.5 * static_cast<double>(plan.channels),
                  [&](int64_t begin, int64_t end) {
                    for (int64_t row = begin; row < end; ++row) {
                      const int64_t at = row * plan.channels;
                      for (int64_t c = 0; c < plan.channels; ++c)
                        to[at + c] = wide_in[IndexOf(from[at + c])] + added[c];
                    }
                  });
      return absl::OkStatus();
    });
  }

 private:
  template <typename Q>
  static uint8_t IndexOf(Q level) {
    return static_cast<uint8_t>(level.value);
  }
  // The 32-bit levels of all levels of 8 bits, by their bits.
  template <typename Q>
  static std::vector<uint32_t> Widened8(LevelRange from, LevelRange to) {
    const FloatOfLevel<Q> value(from.min, from.max);
    const LevelOfFloat<Qint32> level(to.min, to.max);
    std::vector<uint32_t> levels(256);
    for (int i = 0; i < 256; ++i) {
      const Q narrow{static_cast<typename QuantizedLimits<Q>::Storage>(i)};
      levels[i] = static_cast<uint32_t>(level(value(narrow)).value);
    }
    return levels;
  }
};

}  // namespace

void RegisterQuantizedArithmetic(KernelRegistry& kernels) {
  const std::vector<TypeConstraint> types{{"T1", kQuint8}, {"T2", kQuint8}, {"Toutput", kQint32}};
  kernels.Add<QuantizedBinary<false>>("QuantizedAdd", kCpu, types);
  kernels.Add<QuantizedBinary<true>>("QuantizedMul", kCpu, types);
  for (DType dtype : {kQint8, kQuint8}) {
    kernels.Add<QuantizedBiasAdd>("QuantizedBiasAdd", kCpu,
                                  {{"T1", dtype}, {"T2", dtype}, {"out_type", kQint32}});
  }
}

}  // namespace sluice::kernels
