// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/float16.h"

namespace sluice::internal {

uint16_t FloatToHalfBits(float f) {
  const uint32_t u = std::bit_cast<uint32_t>(f);
  const uint16_t sign = static_cast<uint16_t>((u >> 16) & 0x8000);
  const uint32_t magnitude = u & 0x7fffffff;
  // NaN stays NaN: it becomes quiet and keeps the upper payload bits, as in hardware.
  if (magnitude > 0x7f800000)
    return static_cast<uint16_t>(sign | 0x7e00 | ((magnitude >> 13) & 0x3ff));
  if (magnitude >= 0x477ff000) return sign | 0x7c00;  // 65520 and more round to infinity
  if (magnitude >= 0x38800000) {                      // a normal number: rebias, round half to even
    const uint32_t rebiased = magnitude - 0x38000000;
    return static_cast<uint16_t>(sign | ((rebiased + 0xfff + ((rebiased >> 13) & 1)) >> 13));
  }
  if (magnitude < 0x33000000) return sign;  // below half of the smallest subnormal
  // A subnormal is a multiple of 2^-24: shift the 24-bit significand down to that unit.
  const uint32_t significand = (magnitude & 0x7fffff) | 0x800000;
  const int shift = 126 - static_cast<int>(magnitude >> 23);
  const uint32_t kept = significand >> shift;
  const uint32_t rest = significand & ((1u << shift) - 1);
  const uint32_t half = 1u << (shift - 1);
  const bool up = rest > half || (rest == half && (kept & 1) != 0);
  return static_cast<uint16_t>(sign | (kept + (up ? 1 : 0)));
}

float HalfBitsToFloat(uint16_t h) {
  const uint32_t sign = static_cast<uint32_t>(h & 0x8000) << 16;
  const uint32_t exponent = (h >> 10) & 0x1f;
  const uint32_t fraction = h & 0x3ff;
  if (exponent == 0x1f) {
    const uint32_t quiet = fraction != 0 ? 0x400000 : 0;
    return std::bit_cast<float>(sign | 0x7f800000 | quiet | (fraction << 13));
  }
  if (exponent != 0)
    return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (fraction << 13));
  const float value = static_cast<float>(fraction) * 0x1p-24f;
  return std::bit_cast<float>(std::bit_cast<uint32_t>(value) | sign);
}

}  // namespace sluice::internal
