// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_QUANTIZED_FAKE_QUANT_LEVELS_H_
#define SLUICE_KERNELS_COMMON_QUANTIZED_FAKE_QUANT_LEVELS_H_

#include <algorithm>
#include <cmath>

#include "kernels/common/round_each.h"

// The functions are constexpr, which nvcc compiles for the GPU too.

namespace sluice::kernels {

// The levels of a range, shifted so that zero is one of them.
struct FakeQuantLevels {
  float low, high, scale;  // a scale of 0: the range is empty, and everything is zero

  static constexpr FakeQuantLevels Of(float min, float max, int bits, bool narrow) {
    const float first = narrow ? 1.0f : 0.0f, last = static_cast<float>((1 << bits) - 1);
    const float scale = (max - min) / (last - first);
    const float zero = first - min / scale;
    const float nudged = zero < first ? first : zero > last ? last : std::round(zero);
    return {(first - nudged) * scale, (last - nudged) * scale, scale};
  }
  // The same for a range that may be empty.
  static constexpr FakeQuantLevels OfAny(float min, float max, int bits, bool narrow) {
    return min == 0.0f && max == 0.0f ? FakeQuantLevels{0, 0, 0} : Of(min, max, bits, narrow);
  }
  constexpr float Round(float x) const {
    if (scale == 0.0f) return 0.0f;
    const float clamped = std::max(std::min(x, high), low);
    return std::floor((clamped - low) * (1.0f / scale) + 0.5f) * scale + low;
  }
  constexpr bool Inside(float x) const { return x >= low && x <= high; }
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_QUANTIZED_FAKE_QUANT_LEVELS_H_
