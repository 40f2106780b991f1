// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_QUANTIZED_QUANTIZE_H_
#define SLUICE_KERNELS_CPU_QUANTIZED_QUANTIZE_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/tensor/dtype.h"
#include "kernels/common/round_each.h"

namespace sluice::kernels {

using QuantizedTypes = TypeList<Qint8, Quint8, Qint16, Quint16, Qint32>;

// The limits of a quantised type.
template <typename Q>
struct QuantizedLimits {
  using Storage = decltype(Q::value);
  static constexpr double kLowest = static_cast<double>(std::numeric_limits<Storage>::min());
  static constexpr double kHighest = static_cast<double>(std::numeric_limits<Storage>::max());
  static constexpr bool kSigned = std::is_signed_v<Storage>;
  static constexpr int64_t kSteps = int64_t{1} << (8 * sizeof(Storage));
};

// The float of a level of the range [min, max]; zero is a level.
template <typename Q>
float LevelToFloat(Q level, float min, float max) {
  using L = QuantizedLimits<Q>;
  if (min == max) return min;
  const double adjust = static_cast<double>(L::kSteps) / (static_cast<double>(L::kSteps) - 1.0);
  const double step = static_cast<double>(max - min) * adjust / static_cast<double>(L::kSteps);
  const auto narrow = static_cast<float>(step);
  const float first = std::round(min / narrow) * narrow;
  return static_cast<float>(static_cast<double>(first) +
                            (static_cast<double>(level.value) - L::kLowest) * step);
}

// The level nearest to a float, which may lie outside the type's levels.
template <typename Q>
double UnboundedLevel(float x, float min, float max) {
  using L = QuantizedLimits<Q>;
  if (min == max) return L::kLowest;
  const double adjust = static_cast<double>(L::kSteps) / (static_cast<double>(L::kSteps) - 1.0);
  const double per_unit =
      static_cast<double>(L::kSteps) / (static_cast<double>(max - min) * adjust);
  return std::round(x * per_unit) - std::round(static_cast<double>(min) * per_unit) + L::kLowest;
}

// The level nearest to a float.
template <typename Q>
Q FloatToLevel(float x, float min, float max) {
  using L = QuantizedLimits<Q>;
  using Storage = typename L::Storage;
  const double level = UnboundedLevel<Q>(x, min, max);
  // TensorFlow gets this level from a number that 64 bits do not hold.
  constexpr Storage kOther =
      L::kSigned ? std::numeric_limits<Storage>::max() : std::numeric_limits<Storage>::min();
  if (!(std::abs(level) < 9e18)) return Q{kOther};
  return Q{static_cast<Storage>(std::clamp(level, L::kLowest, L::kHighest))};
}

// The level of an integer part that TensorFlow keeps in 32 bits. A level that 64 bits do not hold
// becomes the lowest one.
template <typename Q>
int32_t LevelIn32Bits(float x, float min, float max) {
  const double level = UnboundedLevel<Q>(x, min, max);
  if (!(std::abs(level) < 9e18)) return static_cast<int32_t>(QuantizedLimits<Q>::kLowest);
  return static_cast<int32_t>(static_cast<int64_t>(level));
}

// A level that may be NaN or outside the type's levels.
template <typename Q>
Q SaturatedLevel(float level) {
  using L = QuantizedLimits<Q>;
  if (!(level == level)) return Q{0};
  return Q{static_cast<typename L::Storage>(
      std::clamp(static_cast<double>(level), L::kLowest, L::kHighest))};
}

// Levels of a range as floats, computed in float: level * scale + offset. Zero is a level.
template <typename Q>
struct FloatOfLevel {
  float scale, offset;

  FloatOfLevel(float min, float max) {
    constexpr auto kLast = static_cast<double>(QuantizedLimits<Q>::kSteps - 1);
    scale = static_cast<float>(static_cast<double>(max - min) / kLast);
    const float first = scale == 0 ? min : std::round(min / scale) * scale;
    offset = first - static_cast<float>(QuantizedLimits<Q>::kLowest) * scale;
  }
  float operator()(Q level) const { return static_cast<float>(level.value) * scale + offset; }
};

// Floats as the nearest levels of a range, computed in float. Zero is a level.
template <typename Q>
struct LevelOfFloat {
  static constexpr float kMost =  // the largest float that is a level
      std::min(static_cast<float>(QuantizedLimits<Q>::kHighest), 2147483520.0f);
  float scale, first;  // the first level's distance from the type's lowest

  LevelOfFloat(float min, float max) {
    // Computed in double: rounding decides for all levels whether the end lies halfway between two
    // levels.
    constexpr auto kSteps = static_cast<double>(QuantizedLimits<Q>::kSteps);
    const double range = static_cast<double>(max - min) * (kSteps / (kSteps - 1));
    scale = range == 0 ? 0.0f : static_cast<float>(kSteps / range);
    first = std::round(min * scale) - static_cast<float>(QuantizedLimits<Q>::kLowest);
  }
  Q operator()(float x) const {
    return SaturatedLevel<Q>(std::min(std::round(x * scale) - first, kMost));
  }
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_QUANTIZED_QUANTIZE_H_
