// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_COMMON_ROUNDED_H_
#define SLUICE_KERNELS_CPU_COMMON_ROUNDED_H_

#include <bit>
#include <cstdint>
#include <type_traits>

#include "core/tensor/float16.h"

// Arithmetic of half and bfloat16 that rounds after every operation, as TensorFlow's does. For one
// operation, computing in float and rounding at the end gives the same result. For an expression it
// does not.

namespace sluice::kernels {

// The nearest number of type N, ties to even. It uses only integer arithmetic and selections, so
// that loops over it become vector code.
template <typename N>
inline float RoundTo(float x);

template <>
inline float RoundTo<Half>(float x) {
  const uint32_t bits = std::bit_cast<uint32_t>(x);
  const uint32_t sign = bits & 0x80000000, size = bits & 0x7fffffff;
  const uint32_t normal = (size + 0xfff + ((size >> 13) & 1)) & ~0x1fffU;
  // Numbers below 2^-14 are multiples of 2^-24, which is the last digit of 0.5.
  const uint32_t small = std::bit_cast<uint32_t>((std::bit_cast<float>(size) + 0.5f) - 0.5f);
  uint32_t rounded = size < 0x38800000 ? small : normal;
  rounded = size >= 0x477ff000 ? 0x7f800000 : rounded;  // 65520 and more
  rounded = size > 0x7f800000 ? size : rounded;         // NaN
  return std::bit_cast<float>(sign | rounded);
}

template <>
inline float RoundTo<Bfloat16>(float x) {
  const uint32_t bits = std::bit_cast<uint32_t>(x);
  const uint32_t rounded = (bits + 0x7fff + ((bits >> 16) & 1)) & 0xffff0000;
  return std::bit_cast<float>((bits & 0x7fffffff) > 0x7f800000 ? bits : rounded);
}

// A number of type N, held in a float. The other operand of an operation is rounded too.
template <typename N>
class Rounded {
 public:
  // TensorFlow's Softplus uses this value as the difference from 1 to the next number.
  static constexpr float kSoftplusEpsilon = std::is_same_v<N, Half> ? 0x1p-13f : 0x1p-24f;

  Rounded() = default;
  // NOLINTBEGIN(google-explicit-constructor): numbers convert as they do to float
  template <typename A>
  requires std::is_arithmetic_v<A> Rounded(A value)
      : value_(RoundTo<N>(static_cast<float>(value))) {}
  Rounded(N value) : value_(value) {}
  operator float() const { return value_; }
  explicit operator N() const { return N(value_); }
  // NOLINTEND(google-explicit-constructor)
  // REQUIRES: `value` is a number of type N.
  static Rounded Exactly(float value) {
    Rounded made;
    made.value_ = value;
    return made;
  }

  friend Rounded operator-(Rounded a) { return Exactly(-a.value_); }
  friend Rounded operator+(Rounded a, Rounded b) { return a.value_ + b.value_; }
  friend Rounded operator-(Rounded a, Rounded b) { return a.value_ - b.value_; }
  friend Rounded operator*(Rounded a, Rounded b) { return a.value_ * b.value_; }
  friend Rounded operator/(Rounded a, Rounded b) { return a.value_ / b.value_; }
  friend bool operator==(Rounded a, Rounded b) { return a.value_ == b.value_; }
  Rounded& operator+=(Rounded b) { return *this = *this + b; }
  Rounded& operator-=(Rounded b) { return *this = *this - b; }
  Rounded& operator*=(Rounded b) { return *this = *this * b; }
  Rounded& operator/=(Rounded b) { return *this = *this / b; }

 private:
  float value_;
};

// For the result of a function of <cmath>, which is a float.
template <typename N>
Rounded<N> operator+(Rounded<N> a, float b) {
  return a + Rounded<N>(b);
}
template <typename N>
Rounded<N> operator+(float a, Rounded<N> b) {
  return Rounded<N>(a) + b;
}
template <typename N>
Rounded<N> operator-(Rounded<N> a, float b) {
  return a - Rounded<N>(b);
}
template <typename N>
Rounded<N> operator-(float a, Rounded<N> b) {
  return Rounded<N>(a) - b;
}
template <typename N>
Rounded<N> operator*(Rounded<N> a, float b) {
  return a * Rounded<N>(b);
}
template <typename N>
Rounded<N> operator*(float a, Rounded<N> b) {
  return Rounded<N>(a) * b;
}
template <typename N>
Rounded<N> operator/(Rounded<N> a, float b) {
  return a / Rounded<N>(b);
}
template <typename N>
Rounded<N> operator/(float a, Rounded<N> b) {
  return Rounded<N>(a) / b;
}

template <typename T>
inline constexpr bool kIsRounded = false;
template <typename N>
inline constexpr bool kIsRounded<Rounded<N>> = true;

// TensorFlow has its own formulas for bfloat16, and computes some of them in one step.
template <typename T>
inline constexpr bool kIsRoundedHalf = std::is_same_v<T, Rounded<Half>>;
template <typename T>
inline constexpr bool kIsRoundedBfloat16 = std::is_same_v<T, Rounded<Bfloat16>>;
template <typename T>
using OneStepForBfloat16 = std::conditional_t<kIsRoundedBfloat16<T>, float, T>;

// The type in which T is computed step by step: Rounded for the narrow types, else T itself.
template <typename T>
using StepType = typename std::conditional_t<kIsNarrowFloat<T>, std::type_identity<Rounded<T>>,
                                             std::type_identity<T>>::type;

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_COMMON_ROUNDED_H_
