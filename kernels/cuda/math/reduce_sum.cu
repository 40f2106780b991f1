// SPDX-License-Identifier: Apache-2.0
// Reductions that add: Sum, Mean, EuclideanNorm, L2Loss. Float is added in double, as on the CPU.
#include "kernels/cuda/common/number.cuh"
#include "kernels/cuda/common/reduce.cuh"

namespace sluice::cuda {
namespace {

template <typename T>
struct SumOf : std::type_identity<Wide<T>> {};
template <>
struct SumOf<float> : std::type_identity<double> {};
template <>
struct SumOf<Complex<float>> : std::type_identity<Complex<double>> {};
// Sums of squares; for complex numbers, of squared magnitudes.
template <typename T>
struct SquareSumOf : SumOf<T> {};
template <typename R>
struct SquareSumOf<Complex<R>> : std::type_identity<double> {};

template <typename T, typename Acc>
__device__ T FromSum(Acc a) {
  if constexpr (kIsNarrow<T>) {
    return Narrow<T>(a);
  } else if constexpr (kIsComplex<T> && kIsComplex<Acc>) {
    using R = decltype(T::re);
    return T(static_cast<R>(a.re), static_cast<R>(a.im));
  } else if constexpr (kIsComplex<T>) {
    return T(static_cast<decltype(T::re)>(a));
  } else {
    return static_cast<T>(a);
  }
}

template <typename T>
struct SumRule {
  using Acc = typename SumOf<T>::type;
  bool mean;

  static __device__ Acc First() { return Acc(0); }
  static __device__ Acc Load(T x) {
    if constexpr (kIsComplex<T>) {
      return Acc(x.re, x.im);
    } else {
      return static_cast<Acc>(Widen(x));
    }
  }
  static __device__ Acc Combine(Acc a, Acc b) { return Sum(a, b); }
  __device__ T Finish(Acc a, int64_t count) const {
    if (!mean) return FromSum<T>(a);
    if constexpr (kIsComplex<T>) {
      if (count == 0) return T(0);  // without elements only real types have a mean, NaN
      const auto n = static_cast<double>(count);
      return FromSum<T>(Acc(a.re / n, a.im / n));
    } else if constexpr (std::is_integral_v<T>) {
      return a;  // not taken
    } else {
      return FromSum<T>(a / static_cast<Acc>(count));
    }
  }
};

template <typename T>
struct SquaresRule {
  using Acc = typename SquareSumOf<T>::type;
  bool root;  // else half of the sum

  static __device__ Acc First() { return Acc(0); }
  static __device__ Acc Load(T x) {
    if constexpr (kIsComplex<T>) {
      const auto re = static_cast<double>(x.re), im = static_cast<double>(x.im);
      return re * re + im * im;
    } else {
      const auto value = static_cast<Acc>(Widen(x));
      return value * value;
    }
  }
  static __device__ Acc Combine(Acc a, Acc b) { return a + b; }
  __device__ T Finish(Acc a, int64_t) const { return FromSum<T>(root ? std::sqrt(a) : a / Acc(2)); }
};

using FloatsAndComplex = Joined<FloatingElements, ComplexElements>;
using Summable = Joined<FloatsAndComplex, ElementList<Element::kInt64>>;

bool TakesSum(ReduceOp op, Element element) {
  switch (op) {
    case ReduceOp::kSum:
      return Has(Summable{}, element);
    case ReduceOp::kMean:
    case ReduceOp::kEuclideanNorm:
      return Has(FloatsAndComplex{}, element);
    case ReduceOp::kL2Loss:
      return Has(FloatingElements{}, element);
    default:
      return false;
  }
}

cudaError_t LaunchSums(const ReduceCall& call) {
  if (call.op == ReduceOp::kSum || call.op == ReduceOp::kMean) {
    return Visit(Summable{}, call.element, [&]<typename T>(Type<T>) {
      return LaunchRule<SumRule<T>, T>({call.op == ReduceOp::kMean}, call);
    });
  }
  return Visit(FloatsAndComplex{}, call.element, [&]<typename T>(Type<T>) {
    return LaunchRule<SquaresRule<T>, T>({call.op == ReduceOp::kEuclideanNorm}, call);
  });
}

}  // namespace

ReduceFamily ReduceSums() { return {&TakesSum, &LaunchSums}; }

}  // namespace sluice::cuda
