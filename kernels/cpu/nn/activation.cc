// SPDX-License-Identifier: Apache-2.0
// Activation functions: rectifiers, softplus, softsign.
#include "kernels/cpu/common/loops.h"
#include "kernels/cpu/common/vector_math.h"
#include "kernels/cpu/nn/register.h"

namespace sluice::kernels {
namespace {

using Float = FloatingTypes;

// The constants of Klambauer et al., "Self-Normalizing Neural Networks".
constexpr double kSeluScale = 1.0507009873554804934193349852946;
constexpr double kSeluScaledAlpha = 1.7580993408473768599402175208123;

// exp(x) - 1. TensorFlow computes the difference directly, which for half leaves few digits.
struct ExpMinusOne {
  template <typename T>
  T operator()(T x) const {
    if constexpr (kIsRoundedHalf<T>)
      return std::exp(x) - T(1);
    else
      return T(std::expm1(x));
  }
};

// log(1 + exp(x)). Narrow types use TensorFlow's own form, which determines their rounding.
struct Softplus {
  template <typename T>
  T operator()(T x) const {
    if constexpr (kIsRounded<T>) {
      const T threshold = std::log(T(T::kSoftplusEpsilon)) + T(2);
      const T power = std::exp(x);
      return x > -threshold ? x : x < threshold ? power : T(std::log(power + T(1)));
    } else {
      return (x > 0 ? x : T(0)) + std::log1p(std::exp(-std::abs(x)));
    }
  }
};

// Comparisons are written so that NaN stays NaN.
constexpr auto kActivations = std::tuple{
    Unary{"Relu", RealTypes{}, []<typename T>(T x) { return x < T(0) ? T(0) : x; }},
    Unary{"Relu6", RealTypes{},
          []<typename T>(T x) { return x < T(0)   ? T(0)
                                       : x > T(6) ? T(6)
                                                  : x; }},
    Unary{"LeakyRelu", Float{},
          RoundsEachStep{[]<typename T>(T x, float alpha) { return x > 0 ? x : x * T(alpha); }},
          kStreamed, "alpha"},
    Unary{"Softsign", Float{},
          RoundsEachStep{[]<typename T>(T x) { return x / (T(1) + std::abs(x)); }}},
    UnaryMath{"Elu", Float{}, RoundsEachStep{[](auto x) { return x < 0 ? ExpMinusOne{}(x) : x; }}},
    UnaryMath{"Selu", Float{}, RoundsEachStep{[]<typename T>(T x) {
                return x < 0 ? T(kSeluScaledAlpha) * ExpMinusOne{}(x) : T(kSeluScale) * x;
              }}},
    UnaryMath{"Softplus", Float{}, RoundsEachStep{Softplus{}}, 4},
};

}  // namespace

void RegisterActivations(KernelRegistry& kernels) { AddUnaryTable(kernels, kActivations); }

}  // namespace sluice::kernels
