// SPDX-License-Identifier: Apache-2.0
// Arithmetic that is defined for every operand: integers wrap, and complex numbers have functions.
#ifndef SLUICE_KERNELS_CUDA_COMMON_NUMBER_CUH_
#define SLUICE_KERNELS_CUDA_COMMON_NUMBER_CUH_

#include <cmath>
#include <type_traits>

#include "kernels/cuda/common/element.h"

namespace sluice::cuda {

// An unsigned type in which integers T are computed: at least 32 bits, so that nothing is promoted
// to int.
template <typename T>
using Modular = std::conditional_t<(sizeof(T) < 4), uint32_t, std::make_unsigned_t<T>>;

template <typename T>
__device__ inline bool IsNegative(T x) {
  if constexpr (std::is_unsigned_v<T>) {
    return false;
  } else {
    return x < T(0);
  }
}

template <typename T>
__device__ inline T Sum(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<Modular<T>>(a) + static_cast<Modular<T>>(b));
  } else {
    return a + b;
  }
}
template <typename T>
__device__ inline T Difference(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<Modular<T>>(a) - static_cast<Modular<T>>(b));
  } else {
    return a - b;
  }
}
template <typename T>
__device__ inline T Product(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<Modular<T>>(a) * static_cast<Modular<T>>(b));
  } else {
    return a * b;
  }
}

// Smith's method: divides by the larger part of the divisor first, so that no square overflows.
template <typename R>
__device__ inline Complex<R> Quotient(Complex<R> a, Complex<R> b) {
  if (std::fabs(b.re) >= std::fabs(b.im)) {
    if (b.re == 0) return {a.re / b.re, a.im / b.re};  // division by zero
    const R ratio = b.im / b.re, scale = b.re + b.im * ratio;
    return {(a.re + a.im * ratio) / scale, (a.im - a.re * ratio) / scale};
  }
  const R ratio = b.re / b.im, scale = b.re * ratio + b.im;
  return {(a.re * ratio + a.im) / scale, (a.im * ratio - a.re) / scale};
}

// Truncates. Nothing traps: an integer divided by zero gives -1, and minimum / -1 wraps to the
// minimum.
template <typename T>
requires(!kIsComplex<T>) __device__ inline T Quotient(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    if (b == 0) return static_cast<T>(-1);
    if constexpr (std::is_signed_v<T>) {
      if (b == T(-1)) return Difference(T(0), a);
    }
  }
  return static_cast<T>(a / b);
}

// The result has the sign of the dividend. For a zero divisor an integer gives -1.
template <typename T>
__device__ inline T Remainder(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::fmod(a, b);
  } else {
    if (b == 0) return static_cast<T>(-1);
    if constexpr (std::is_signed_v<T>) {
      if (b == T(-1)) return 0;
    }
    return static_cast<T>(a % b);
  }
}

template <typename R>
__device__ inline R Magnitude(Complex<R> x) {
  return std::hypot(x.re, x.im);
}
template <typename T>
__device__ inline T Conjugate(T x) {
  if constexpr (kIsComplex<T>) {
    return {x.re, -x.im};
  } else {
    return x;
  }
}
template <typename T>
__device__ inline T Exponential(T x) {
  if constexpr (kIsComplex<T>) {
    const auto size = std::exp(x.re);
    if (x.im == 0) return {size, x.im};  // avoids a product with an infinity
    return {size * std::cos(x.im), size * std::sin(x.im)};
  } else {
    return std::exp(x);
  }
}
template <typename T>
__device__ inline T Logarithm(T x) {
  if constexpr (kIsComplex<T>) {
    return {std::log(Magnitude(x)), std::atan2(x.im, x.re)};
  } else {
    return std::log(x);
  }
}

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_COMMON_NUMBER_CUH_
