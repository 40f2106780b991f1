// SPDX-License-Identifier: Apache-2.0
// Reductions that add: Sum, Mean, EuclideanNorm, L2Loss.
#include <cmath>

#include "kernels/cpu/math/reduce_loops.h"
#include "kernels/cpu/math/register.h"

namespace sluice::kernels {
namespace {

template <typename T>
struct WideType {
  using type = T;
};
template <>
struct WideType<float> {
  using type = double;
};
template <>
struct WideType<Complex64> {
  using type = Complex128;
};
template <typename T>
requires std::is_integral_v<T>
struct WideType<T> {
  using type = std::make_unsigned_t<T>;
};  // wraps

// Integers are added as unsigned ones of their width.
template <typename T>
struct LaneType {
  using type = ComputeType<T>;
};
template <typename T>
requires std::is_integral_v<T>
struct LaneType<T> {
  using type = std::make_unsigned_t<T>;
};

template <typename T>
struct Sum {
  using C = ComputeType<T>;
  using Lane = typename LaneType<T>::type;
  using Acc = typename WideType<C>::type;
  static Lane Start() { return Lane(0); }
  static Lane Take(Lane a, C x) { return static_cast<Lane>(a + static_cast<Lane>(x)); }
  static Lane Join(Lane a, Lane b) { return static_cast<Lane>(a + b); }
  template <typename V>
  static V JoinVectors(V a, V b) {
    return a + b;
  }
  static Acc First() { return Acc(0); }
  static Acc Merge(Acc a, Acc b) { return static_cast<Acc>(a + b); }
  static Acc FromLane(Lane a) { return static_cast<Acc>(a); }
  static T Finish(Acc a, int64_t) { return static_cast<T>(a); }
};

template <typename T>
struct Mean : Sum<T> {
  using typename Sum<T>::Acc;
  static T Finish(Acc a, int64_t count) {
    // Without elements, the mean of a real type is NaN, and 0 for other types.
    if (count == 0 && !std::is_floating_point_v<ComputeType<T>>) return T(0);
    if constexpr (std::is_integral_v<T>) {  // truncates toward zero
      using Wide = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
      return static_cast<T>(static_cast<Wide>(static_cast<T>(a)) / static_cast<Wide>(count));
    } else {
      using Scalar = std::conditional_t<std::is_same_v<Acc, Complex128>, double, Acc>;
      return static_cast<T>(a / static_cast<Scalar>(count));
    }
  }
};

// The root of the sum of squares; for a complex number, the square of its magnitude.
template <typename T>
struct RealOf {
  using type = typename LaneType<T>::type;
};
template <typename T>
struct RealOf<std::complex<T>> {
  using type = T;
};

template <typename T>
struct SumOfSquares {
  using C = ComputeType<T>;
  using Lane = typename RealOf<T>::type;
  using Acc = typename WideType<Lane>::type;
  static Lane Start() { return Lane(0); }
  static Lane Take(Lane a, C x) {
    if constexpr (std::is_same_v<C, Complex64> || std::is_same_v<C, Complex128>) {
      return a + x.real() * x.real() + x.imag() * x.imag();
    } else if constexpr (std::is_integral_v<C>) {
      const uint64_t wide = static_cast<uint64_t>(x);
      return static_cast<Lane>(a + static_cast<Lane>(wide * wide));
    } else {
      return a + x * x;
    }
  }
  static Lane Join(Lane a, Lane b) { return static_cast<Lane>(a + b); }
  static Acc First() { return Acc(0); }
  static Acc Merge(Acc a, Acc b) { return static_cast<Acc>(a + b); }
  static Acc FromLane(Lane a) { return static_cast<Acc>(a); }
};

template <typename T>
struct EuclideanNorm : SumOfSquares<T> {
  using typename SumOfSquares<T>::Acc;
  static T Finish(Acc a, int64_t) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(std::sqrt(static_cast<double>(static_cast<T>(a))));
    else
      return static_cast<T>(std::sqrt(a));
  }
};

template <typename T>
struct HalfSumOfSquares : SumOfSquares<T> {
  using typename SumOfSquares<T>::Acc;
  static T Finish(Acc a, int64_t) { return static_cast<T>(a / 2); }
};

struct L2Loss {
  absl::Status Run(KernelContext& ctx) const {
    static const ReductionOp op = MakeReduction<HalfSumOfSquares>("", FloatingTypes{});
    const Tensor& t = ctx.input(0);
    SLUICE_ASSIGN(Tensor * loss, ctx.AllocateOutput(0, Shape{}));
    const bool all[] = {true};
    Reduce(ctx.pool(), op.reducers[static_cast<int>(t.dtype())], t.dtype(), Shape{t.num_elements()},
           all, t.raw(), loss->raw());
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterReduceSum(KernelRegistry& kernels) {
  AddReduction(kernels, MakeReduction<Sum>("Sum", NumericTypes{}), true);
  AddReduction(kernels, MakeReduction<Mean>("Mean", NumericTypes{}));
  AddReduction(kernels, MakeReduction<EuclideanNorm>("EuclideanNorm", NumericTypes{}));
  kernels.Add<L2Loss>("L2Loss", kCpu, {{"T", kFloating}});
}

}  // namespace sluice::kernels
