// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_ROUNDED_H_
#define SLUICE_KERNELS_COMMON_ROUNDED_H_

#include <type_traits>

// Arithmetic of half and bfloat16 that rounds after every operation, as TensorFlow's does. For one
// operation, computing in float and rounding at the end gives the same result. For an expression it
// does not.
//
// This header includes no other header of ours, so that device code can use it. Its functions are
// constexpr, which nvcc compiles for the GPU too (--expt-relaxed-constexpr).

namespace sluice::kernels {

// The properties of a device's 16-bit types:
//   static constexpr bool kIsHalf;          else bfloat16
//   static constexpr int kMantissaBits;
//   static float Round(float x);            to the nearest number of the type, ties to even
template <typename N>
struct NarrowFormat;

// A number of type N, held in a float. The other operand of an operation is rounded too.
template <typename N>
class Rounded {
 public:
  // TensorFlow's Softplus uses this value as the difference from 1 to the next number.
  static constexpr float kSoftplusEpsilon = NarrowFormat<N>::kIsHalf ? 0x1p-13f : 0x1p-24f;

  Rounded() = default;
  // NOLINTBEGIN(google-explicit-constructor): numbers convert as they do to float
  template <typename A>
  requires std::is_arithmetic_v<A>
  constexpr Rounded(A value) : value_(NarrowFormat<N>::Round(static_cast<float>(value))) {}
  constexpr Rounded(N value) : value_(static_cast<float>(value)) {}
  constexpr operator float() const { return value_; }
  constexpr explicit operator N() const { return N(value_); }
  // NOLINTEND(google-explicit-constructor)
  // REQUIRES: `value` is a number of type N.
  static constexpr Rounded Exactly(float value) {
    Rounded made;
    made.value_ = value;
    return made;
  }

  friend constexpr Rounded operator-(Rounded a) { return Exactly(-a.value_); }
  friend constexpr Rounded operator+(Rounded a, Rounded b) { return a.value_ + b.value_; }
  friend constexpr Rounded operator-(Rounded a, Rounded b) { return a.value_ - b.value_; }
  friend constexpr Rounded operator*(Rounded a, Rounded b) { return a.value_ * b.value_; }
  friend constexpr Rounded operator/(Rounded a, Rounded b) { return a.value_ / b.value_; }
  friend constexpr bool operator==(Rounded a, Rounded b) { return a.value_ == b.value_; }
  constexpr Rounded& operator+=(Rounded b) { return *this = *this + b; }
  constexpr Rounded& operator-=(Rounded b) { return *this = *this - b; }
  constexpr Rounded& operator*=(Rounded b) { return *this = *this * b; }
  constexpr Rounded& operator/=(Rounded b) { return *this = *this / b; }

 private:
  float value_;
};

// For the result of a function of <cmath>, which is a float.
template <typename N>
constexpr Rounded<N> operator+(Rounded<N> a, float b) {
  return a + Rounded<N>(b);
}
template <typename N>
constexpr Rounded<N> operator+(float a, Rounded<N> b) {
  return Rounded<N>(a) + b;
}
template <typename N>
constexpr Rounded<N> operator-(Rounded<N> a, float b) {
  return a - Rounded<N>(b);
}
template <typename N>
constexpr Rounded<N> operator-(float a, Rounded<N> b) {
  return Rounded<N>(a) - b;
}
template <typename N>
constexpr Rounded<N> operator*(Rounded<N> a, float b) {
  return a * Rounded<N>(b);
}
template <typename N>
constexpr Rounded<N> operator*(float a, Rounded<N> b) {
  return Rounded<N>(a) * b;
}
template <typename N>
constexpr Rounded<N> operator/(Rounded<N> a, float b) {
  return a / Rounded<N>(b);
}
template <typename N>
constexpr Rounded<N> operator/(float a, Rounded<N> b) {
  return Rounded<N>(a) / b;
}

template <typename T>
inline constexpr bool kIsRounded = false;
template <typename N>
inline constexpr bool kIsRounded<Rounded<N>> = true;

// TensorFlow has its own formulas for bfloat16, and computes some of them in one step.
template <typename T>
inline constexpr bool kIsRoundedHalf = false;
template <typename N>
inline constexpr bool kIsRoundedHalf<Rounded<N>> = NarrowFormat<N>::kIsHalf;
template <typename T>
inline constexpr bool kIsRoundedBfloat16 = kIsRounded<T> && !kIsRoundedHalf<T>;
template <typename T>
using OneStepForBfloat16 = std::conditional_t<kIsRoundedBfloat16<T>, float, T>;

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_ROUNDED_H_
