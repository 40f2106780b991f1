// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_COMMON_ROUNDED_H_
#define SLUICE_KERNELS_CPU_COMMON_ROUNDED_H_

#include <bit>
#include <cstdint>
#include <type_traits>

#include "core/tensor/float16.h"
#include "kernels/common/rounded.h"

// Rounded numbers of the host's half and bfloat16.

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

template <>
struct NarrowFormat<Half> {
  static constexpr bool kIsHalf = true;
  static constexpr int kMantissaBits = 10;
  static float Round(float x) { return RoundTo<Half>(x); }
};
template <>
struct NarrowFormat<Bfloat16> {
  static constexpr bool kIsHalf = false;
  static constexpr int kMantissaBits = 7;
  static float Round(float x) { return RoundTo<Bfloat16>(x); }
};

// The type in which T is computed step by step: Rounded for the narrow types, else T itself.
template <typename T>
using StepType = typename std::conditional_t<kIsNarrowFloat<T>, std::type_identity<Rounded<T>>,
                                             std::type_identity<T>>::type;

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_COMMON_ROUNDED_H_
