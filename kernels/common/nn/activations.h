// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_NN_ACTIVATIONS_H_
#define SLUICE_KERNELS_COMMON_NN_ACTIVATIONS_H_

#include <cmath>

#include "kernels/common/rounded.h"

// The activation functions of one element and their gradients, on every device. T is a number, or
// Rounded where TensorFlow rounds each step.
//
// The functions are constexpr, which nvcc compiles for the GPU too.

namespace sluice::kernels::activations {

// The constants of Klambauer et al., "Self-Normalizing Neural Networks".
inline constexpr double kSeluScale = 1.0507009873554804934193349852946;
inline constexpr double kSeluScaledAlpha = 1.7580993408473768599402175208123;

// exp(x) - 1. TensorFlow computes the difference directly, which for half leaves few digits.
template <typename T>
constexpr T ExpMinusOne(T x) {
  if constexpr (kIsRoundedHalf<T>)
    return std::exp(x) - T(1);
  else
    return T(std::expm1(x));
}

// Comparisons are written so that NaN stays NaN.

struct Relu {
  template <typename T>
  constexpr T operator()(T x) const {
    return x < T(0) ? T(0) : x;
  }
};

struct Relu6 {
  template <typename T>
  constexpr T operator()(T x) const {
    return x < T(0) ? T(0) : x > T(6) ? T(6) : x;
  }
};

struct LeakyRelu {
  template <typename T>
  constexpr T operator()(T x, float alpha) const {
    return x > 0 ? x : x * T(alpha);
  }
};

struct Softsign {
  template <typename T>
  constexpr T operator()(T x) const {
    return x / (T(1) + std::abs(x));
  }
};

struct Elu {
  template <typename T>
  constexpr T operator()(T x) const {
    return x < 0 ? ExpMinusOne(x) : x;
  }
};

struct Selu {
  template <typename T>
  constexpr T operator()(T x) const {
    return x < 0 ? T(kSeluScaledAlpha) * ExpMinusOne(x) : T(kSeluScale) * x;
  }
};

// log(1 + exp(x)). Narrow types use TensorFlow's own form, which determines their rounding.
struct Softplus {
  template <typename T>
  constexpr T operator()(T x) const {
    if constexpr (kIsRounded<T>) {
      const T threshold = std::log(T(T::kSoftplusEpsilon)) + T(2);
      const T power = std::exp(x);
      return x > -threshold ? x : x < threshold ? power : T(std::log(power + T(1)));
    } else {
      return (x > 0 ? x : T(0)) + std::log1p(std::exp(-std::abs(x)));
    }
  }
};

// g is the gradient; x the function's input, y its output.

struct ReluGrad {
  template <typename T>
  constexpr T operator()(T g, T x) const {
    return x > T(0) ? g : T(0);
  }
};

struct Relu6Grad {
  template <typename T>
  constexpr T operator()(T g, T x) const {
    return x > T(0) && x < T(6) ? g : T(0);
  }
};

struct LeakyReluGrad {
  template <typename T>
  constexpr T operator()(T g, T x, float alpha) const {
    return x > 0 ? g : g * T(alpha);
  }
};

struct EluGrad {
  template <typename T>
  constexpr T operator()(T g, T y) const {
    return y < 0 ? g * (y + T(1)) : g;
  }
};

struct SeluGrad {
  template <typename T>
  constexpr T operator()(T g, T y) const {
    return y < 0 ? g * (y + T(kSeluScaledAlpha)) : g * T(kSeluScale);
  }
};

struct SoftsignGrad {
  template <typename T>
  constexpr T operator()(T g, T x) const {
    const T d = T(1) + std::abs(x);
    return g / (d * d);
  }
};

struct SoftplusGrad {
  template <typename T>
  constexpr T operator()(T g, T x) const {
    return g / (T(1) + std::exp(-x));
  }
};

}  // namespace sluice::kernels::activations

#endif  // SLUICE_KERNELS_COMMON_NN_ACTIVATIONS_H_
