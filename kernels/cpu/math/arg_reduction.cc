// SPDX-License-Identifier: Apache-2.0
// ArgMax and ArgMin: the index of the first largest (smallest) element along an axis. NaN is
// ignored.
#include <bit>

#include "core/runtime/kernel_registry.h"
#include "kernels/common/axis.h"
#include "kernels/common/math_plan.h"
#include "kernels/cpu/math/register.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace sluice::kernels {
namespace {

#if defined(__AVX2__)
// Merges whole vectors into the extremes in `lanes`, and returns the number of their elements. A
// NaN is the first operand, which loses.
template <bool kMax>
int64_t LaneExtremes(const float* x, int64_t n, float (&lanes)[16]) {
  __m256 a = _mm256_loadu_ps(lanes), b = _mm256_loadu_ps(lanes + 8);
  const auto take = [](const float* from, __m256 lane) {
    const __m256 v = _mm256_loadu_ps(from);
    return kMax ? _mm256_max_ps(v, lane) : _mm256_min_ps(v, lane);
  };
  int64_t i = 0;
  for (; i + 16 <= n; i += 16) {
    a = take(x + i, a);
    b = take(x + i + 8, b);
  }
  _mm256_storeu_ps(lanes, a);
  _mm256_storeu_ps(lanes + 8, b);
  return i;
}

// The index of the first element equal to `wanted` in whole vectors; if there is none, the number
// of their elements.
int64_t FirstEqual(const float* x, int64_t n, float wanted) {
  int64_t i = 0;
  for (; i + 8 <= n; i += 8) {
    const __m256 equal = _mm256_cmp_ps(_mm256_loadu_ps(x + i), _mm256_set1_ps(wanted), _CMP_EQ_OQ);
    const int mask = _mm256_movemask_ps(equal);
    if (mask != 0) return i + std::countr_zero(static_cast<unsigned>(mask));
  }
  return i;
}
constexpr bool kVectors = true;
#else
template <bool kMax>
int64_t LaneExtremes(const float*, int64_t, float (&)[16]) {
  return 0;
}
int64_t FirstEqual(const float*, int64_t, float) { return 0; }
constexpr bool kVectors = false;
#endif

// For a contiguous line: first the extreme, without branches, then its position.
template <typename T, bool kMax>
int64_t WinnerOf(const T* x, int64_t n) {
  using C = ComputeType<T>;
  const auto better = [](C value, C best) {
    return (kMax ? value > best : value < best) ? value : best;
  };
  C worst = static_cast<C>(x[0]);
  if constexpr (std::is_floating_point_v<C>)
    worst = kMax ? -std::numeric_limits<C>::infinity() : std::numeric_limits<C>::infinity();
  C best = worst;
  constexpr int64_t kLanes = 16;
  int64_t done = 0;
  if (n >= kLanes) {
    C lanes[kLanes];
    std::fill_n(lanes, kLanes, best);
    if constexpr (kVectors && std::is_same_v<T, float>) done = LaneExtremes<kMax>(x, n, lanes);
    for (; done + kLanes <= n; done += kLanes) {
      for (int64_t j = 0; j < kLanes; ++j) lanes[j] = better(static_cast<C>(x[done + j]), lanes[j]);
    }
    for (C lane : lanes) best = better(lane, best);
  }
  for (; done < n; ++done) best = better(static_cast<C>(x[done]), best);
  if (best == worst) return 0;  // no element is better than the first, even if that is NaN
  int64_t i = 0;
  if constexpr (kVectors && std::is_same_v<T, float>) i = FirstEqual(x, n, best);
  for (; i < n; ++i) {
    if (static_cast<C>(x[i]) == best) return i;
  }
  return 0;
}

// The best element of each of `columns` neighbouring lines; rows are `stride` apart.
template <typename T, bool kMax>
void Winners(const T* x, int64_t n, int64_t stride, int64_t columns, int64_t* winners) {
  using C = ComputeType<T>;
  if (stride == 1) {
    *winners = WinnerOf<T, kMax>(x, n);
    return;
  }
  constexpr int64_t kColumns = 64;
  for (int64_t j0 = 0; j0 < columns; j0 += kColumns) {
    const int64_t width = std::min(kColumns, columns - j0);
    C best[kColumns];
    for (int64_t j = 0; j < width; ++j) {
      const C first = static_cast<C>(x[j0 + j]);
      best[j] = first;
      if constexpr (std::is_floating_point_v<C>) {
        constexpr C kInfinity = std::numeric_limits<C>::infinity();
        if (std::isnan(first)) best[j] = kMax ? -kInfinity : kInfinity;
      }
      winners[j0 + j] = 0;
    }
    for (int64_t i = 1; i < n; ++i) {
      const T* row = x + i * stride + j0;
      for (int64_t j = 0; j < width; ++j) {
        const C value = static_cast<C>(row[j]);
        if (kMax ? value > best[j] : value < best[j]) {
          best[j] = value;
          winners[j0 + j] = i;
        }
      }
    }
  }
}

template <typename Out>
void Store(const int64_t* from, int64_t n, void* to, int64_t at) {
  std::copy_n(from, n, static_cast<Out*>(to) + at);
}

template <bool kMax>
struct ArgReduction {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    SLUICE_ASSIGN(const ArgReductionPlan plan, PlanArgReduction(x.shape(), ctx.input(1)));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, plan.output));
    if (plan.output.num_elements() == 0) return absl::OkStatus();
    return VisitDType(Join<RealTypes, TypeList<bool>>{}, x.dtype(), [&]<typename T>(Type<T>) {
      Lines<T>(ctx, x, AxisView(x.shape(), plan.axis), *out);
      return absl::OkStatus();
    });
  }

 private:
  template <typename T>
  static void Lines(KernelContext& ctx, const Tensor& x, const AxisView& view, Tensor& out) {
    constexpr int64_t kTile = 256;
    const int64_t tiles = (view.inner + kTile - 1) / kTile;
    ParallelFor(ctx.pool(), view.outer * tiles,
                2.0 * static_cast<double>(view.size * std::min(view.inner, kTile)),
                [&](int64_t begin, int64_t end) {
                  int64_t winners[kTile];
                  for (int64_t unit = begin; unit < end; ++unit) {
                    const int64_t outer = unit / tiles, column = unit % tiles * kTile,
                                  columns = std::min(kTile, view.inner - column);
                    Winners<T, kMax>(x.data<T>() + outer * view.size * view.inner + column,
                                     view.size, view.inner, columns, winners);
                    const int64_t at = outer * view.inner + column;
                    switch (out.dtype()) {
                      case kInt16:
                        Store<int16_t>(winners, columns, out.raw(), at);
                        break;
                      case kUint16:
                        Store<uint16_t>(winners, columns, out.raw(), at);
                        break;
                      case kInt32:
                        Store<int32_t>(winners, columns, out.raw(), at);
                        break;
                      default:
                        Store<int64_t>(winners, columns, out.raw(), at);
                    }
                  }
                });
  }
};

}  // namespace

void RegisterArgReduction(KernelRegistry& kernels) {
  const std::vector<TypeConstraint> types{{"T", kReal | DTypeSet(kBool)},
                                          {"Tidx", {kInt16, kInt32, kInt64}},
                                          {"output_type", {kInt16, kUint16, kInt32, kInt64}}};
  kernels.Add<ArgReduction<true>>("ArgMax", kCpu, types);
  kernels.Add<ArgReduction<false>>("ArgMin", kCpu, types);
}

}  // namespace sluice::kernels
