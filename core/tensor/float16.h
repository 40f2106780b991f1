// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_TENSOR_FLOAT16_H_
#define SLUICE_CORE_TENSOR_FLOAT16_H_

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#if defined(__F16C__)
#include <immintrin.h>
#endif

// Half (IEEE binary16) and Bfloat16 (upper half of binary32). Arithmetic happens in float; every
// conversion to the narrow type rounds half to even.

namespace sluice {

namespace internal {
uint16_t FloatToHalfBits(float f);  // portable; used where F16C is missing
float HalfBitsToFloat(uint16_t h);
}  // namespace internal

struct Half {
  uint16_t bits = 0;

  Half() = default;
  // NOLINTBEGIN(google-explicit-constructor): numbers convert as they do to float
  template <typename N>
  requires std::is_arithmetic_v<N> Half(N value) : bits(Narrow(static_cast<float>(value))) {}
  operator float() const {
#if defined(__F16C__)
    return _cvtsh_ss(bits);
#else
    return internal::HalfBitsToFloat(bits);
#endif
  }
  // NOLINTEND(google-explicit-constructor)
  static Half FromBits(uint16_t bits) {
    Half h;
    h.bits = bits;
    return h;
  }

 private:
  static uint16_t Narrow(float f) {
#if defined(__F16C__)
    return _cvtss_sh(f, _MM_FROUND_TO_NEAREST_INT);
#else
    return internal::FloatToHalfBits(f);
#endif
  }
};

struct Bfloat16 {
  uint16_t bits = 0;

  Bfloat16() = default;
  // NOLINTBEGIN(google-explicit-constructor): numbers convert as they do to float
  template <typename N>
  requires std::is_arithmetic_v<N> Bfloat16(N value) : bits(Narrow(static_cast<float>(value))) {}
  operator float() const { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }
  // NOLINTEND(google-explicit-constructor)
  static Bfloat16 FromBits(uint16_t bits) {
    Bfloat16 b;
    b.bits = bits;
    return b;
  }
  static Bfloat16 Truncated(float f) {
    return FromBits(static_cast<uint16_t>(std::bit_cast<uint32_t>(f) >> 16));
  }

 private:
  static uint16_t Narrow(float f) {
    const uint32_t u = std::bit_cast<uint32_t>(f);
    if (std::isnan(f)) return 0x7fc0 | static_cast<uint16_t>((u >> 16) & 0x8000);
    return static_cast<uint16_t>((u + 0x7fff + ((u >> 16) & 1)) >> 16);
  }
};

template <typename T>
inline constexpr bool kIsNarrowFloat = std::is_same_v<T, Half> || std::is_same_v<T, Bfloat16>;

// The type in which T is computed: float for the narrow types, else T itself.
template <typename T>
using ComputeType = std::conditional_t<kIsNarrowFloat<T>, float, T>;

template <typename F>
requires kIsNarrowFloat<F> F& operator+=(F& a, float b) { return a = F(static_cast<float>(a) + b); }
template <typename F>
requires kIsNarrowFloat<F> F& operator-=(F& a, float b) { return a = F(static_cast<float>(a) - b); }
template <typename F>
requires kIsNarrowFloat<F> F& operator*=(F& a, float b) { return a = F(static_cast<float>(a) * b); }
template <typename F>
requires kIsNarrowFloat<F> F& operator/=(F& a, float b) { return a = F(static_cast<float>(a) / b); }

}  // namespace sluice

template <>
class std::numeric_limits<sluice::Half> {
 public:
  static constexpr bool is_specialized = true, has_infinity = true, has_quiet_NaN = true,
                        is_integer = false;
  static sluice::Half infinity() { return sluice::Half::FromBits(0x7c00); }
  static sluice::Half quiet_NaN() { return sluice::Half::FromBits(0x7e00); }
  static sluice::Half max() { return sluice::Half::FromBits(0x7bff); }
  static sluice::Half lowest() { return sluice::Half::FromBits(0xfbff); }
  static sluice::Half min() { return sluice::Half::FromBits(0x0400); }
  static sluice::Half epsilon() { return sluice::Half::FromBits(0x1400); }
};
template <>
class std::numeric_limits<sluice::Bfloat16> {
 public:
  static constexpr bool is_specialized = true, has_infinity = true, has_quiet_NaN = true,
                        is_integer = false;
  static sluice::Bfloat16 infinity() { return sluice::Bfloat16::FromBits(0x7f80); }
  static sluice::Bfloat16 quiet_NaN() { return sluice::Bfloat16::FromBits(0x7fc0); }
  static sluice::Bfloat16 max() { return sluice::Bfloat16::FromBits(0x7f7f); }
  static sluice::Bfloat16 lowest() { return sluice::Bfloat16::FromBits(0xff7f); }
  static sluice::Bfloat16 min() { return sluice::Bfloat16::FromBits(0x0080); }
  static sluice::Bfloat16 epsilon() { return sluice::Bfloat16::FromBits(0x3c00); }
};

#endif  // SLUICE_CORE_TENSOR_FLOAT16_H_
