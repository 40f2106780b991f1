// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_QUANTIZED_QUANTIZE_H_
#define SLUICE_KERNELS_CPU_QUANTIZED_QUANTIZE_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/tensor/dtype.h"

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
  const double first = std::round(static_cast<double>(min / narrow)) * static_cast<double>(narrow);
  return static_cast<float>(first + (static_cast<double>(level.value) - L::kLowest) * step);
}

// The level nearest to a float.
template <typename Q>
Q FloatToLevel(float x, float min, float max) {
  using L = QuantizedLimits<Q>;
  using Storage = typename L::Storage;
  if (min == max) return Q{std::numeric_limits<Storage>::min()};
  const double adjust = static_cast<double>(L::kSteps) / (static_cast<double>(L::kSteps) - 1.0);
  const double per_unit =
      static_cast<double>(L::kSteps) / (static_cast<double>(max - min) * adjust);
  const double level =
      std::round(x * per_unit) - std::round(static_cast<double>(min) * per_unit) + L::kLowest;
  if (!(level == level)) return Q{std::numeric_limits<Storage>::min()};
  return Q{static_cast<Storage>(std::clamp(level, L::kLowest, L::kHighest))};
}

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_QUANTIZED_QUANTIZE_H_
