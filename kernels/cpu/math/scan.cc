// SPDX-License-Identifier: Apache-2.0
// Cumsum, Cumprod, CumulativeLogsumexp: running totals along one axis.
#include <algorithm>
#include <limits>

#include "core/threads/cancel_scope.h"
#include "kernels/common/elementwise.h"
#include "kernels/common/math_plan.h"
#include "kernels/cpu/common/rounded.h"
#include "kernels/cpu/math/register.h"

namespace sluice::kernels {
namespace {

// Unsigned and signed integers of one width have the same sums and products.
using AllTypes = Join<FloatingTypes, Join<ComplexTypes, UnsignedTypes>>;

struct Plus {
  using Types = AllTypes;
  static constexpr bool kRoundsEachStep = true;
  template <typename T>
  static ComputeType<T> Start() {
    return ComputeType<T>(0);
  }
  template <typename T>
  static T Apply(T a, T b) {
    return static_cast<T>(a + b);
  }
};
struct Times {
  using Types = AllTypes;
  static constexpr bool kRoundsEachStep = true;
  template <typename T>
  static ComputeType<T> Start() {
    return ComputeType<T>(1);
  }
  template <typename T>
  static T Apply(T a, T b) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
    else
      return a * b;
  }
};

// log(exp(a) + exp(b)). TensorFlow starts from the lowest number instead of -inf.
struct LogPlus {
  using Types = FloatingTypes;
  static constexpr bool kRoundsEachStep = false;
  template <typename T>
  static ComputeType<T> Start() {
    if constexpr (std::is_same_v<T, Half>)
      return -65504;
    else if constexpr (std::is_same_v<T, Bfloat16>)
      return -3.38953139e38f;
    else
      return std::numeric_limits<T>::lowest();
  }
  template <typename T>
  static T Apply(T a, T b) {
    const T high = a < b ? b : a, low = a < b ? a : b;
    if (high == low && std::isinf(high)) return high;
    return high + std::log1p(std::exp(low - high));
  }
};

// One line of `n` elements, `stride` apart (negative: from the end).
template <typename T, typename Op>
void ScanLine(const T* x, T* y, int64_t n, int64_t stride, bool exclusive) {
  using C = std::conditional_t<Op::kRoundsEachStep, StepType<T>, ComputeType<T>>;
  constexpr int64_t kBlock = 1 << 16;  // elements between two looks at the cancellation
  C total = Op::template Start<T>();
  for (int64_t i = 0; i < n;) {
    ThrowIfCancelled();
    for (const int64_t end = std::min(n, i + kBlock); i < end; ++i, x += stride, y += stride) {
      const C value = *x;
      if (exclusive) *y = static_cast<T>(total);
      total = Op::Apply(total, value);
      if (!exclusive) *y = static_cast<T>(total);
    }
  }
}

template <typename Op>
struct Scan {
  bool exclusive, reverse;

  static absl::StatusOr<Scan> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(bool exclusive, node.Get<bool>("exclusive"));
    SLUICE_ASSIGN(bool reverse, node.Get<bool>("reverse"));
    return Scan{exclusive, reverse};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    SLUICE_ASSIGN(const int axis, ScanAxis(x.shape(), ctx.input(1)));
    SLUICE_ASSIGN(Tensor * y, ctx.AllocateOutput(0, x.shape()));
    return VisitDType(typename Op::Types{}, Unsigned(x.dtype()),
                      [&]<typename T>(Type<T>) { return Lines<T>(ctx, x, axis, *y); });
  }

 private:
  static DType Unsigned(DType t) {
    switch (t) {
      case kInt8:
        return kUint8;
      case kInt16:
        return kUint16;
      case kInt32:
        return kUint32;
      case kInt64:
        return kUint64;
      default:
        return t;
    }
  }

  template <typename T>
  absl::Status Lines(KernelContext& ctx, const Tensor& x, int axis, Tensor& y) const {
    int64_t inner = 1;
    for (int d = axis + 1; d < x.rank(); ++d) inner *= x.dim(d);
    const int64_t n = x.dim(axis);
    if (x.num_elements() == 0) return absl::OkStatus();
    const T* from = x.data<T>();
    T* to = y.mutable_data<T>();
    ParallelFor(ctx.pool(), x.num_elements() / n, 1.5 * n, [&](int64_t begin, int64_t end) {
      for (int64_t line = begin; line < end; ++line) {
        const int64_t first =
            (line / inner) * inner * n + line % inner + (reverse ? (n - 1) * inner : 0);
        ScanLine<T, Op>(from + first, to + first, n, reverse ? -inner : inner, exclusive);
      }
    });
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterScan(KernelRegistry& kernels) {
  kernels.Add<Scan<Plus>>("Cumsum", kCpu, {{"T", kNumeric}, {"Tidx", kIndex}});
  kernels.Add<Scan<Times>>("Cumprod", kCpu, {{"T", kNumeric}, {"Tidx", kIndex}});
  kernels.Add<Scan<LogPlus>>("CumulativeLogsumexp", kCpu, {{"T", kFloating}, {"Tidx", kIndex}});
}

}  // namespace sluice::kernels
