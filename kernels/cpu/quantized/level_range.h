// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_QUANTIZED_LEVEL_RANGE_H_
#define SLUICE_KERNELS_CPU_QUANTIZED_LEVEL_RANGE_H_

#include "core/runtime/kernel_context.h"
#include "kernels/cpu/quantized/quantize.h"

namespace sluice::kernels {

// The floats of the lowest and of the highest level of a quantised tensor.
struct LevelRange {
  float min, max;

  // Reads inputs `input` and `input` + 1. INVALID_ARGUMENT unless each has one element.
  static absl::StatusOr<LevelRange> Read(const KernelContext& ctx, int input);
  // The same of scalars. The names are for the error.
  static absl::StatusOr<LevelRange> ReadScalars(const KernelContext& ctx, int input,
                                                absl::string_view min_name,
                                                absl::string_view max_name);
  // INVALID_ARGUMENT if this, the range of operand `name`, is empty.
  absl::Status CheckNotEmpty(absl::string_view name) const;
  // Sets outputs `output` and `output` + 1.
  void Write(KernelContext& ctx, int output = 1) const;
};

// The step between two levels.
template <typename Q>
float StepOf(LevelRange range) {
  using L = QuantizedLimits<Q>;
  return (range.max - range.min) / static_cast<float>(L::kHighest - L::kLowest);
}

// The range of products of 8-bit levels, as 32-bit levels.
template <typename A, typename B>
LevelRange RangeOfProducts(LevelRange a, LevelRange b) {
  using L = QuantizedLimits<Qint32>;
  const float step = StepOf<A>(a) * StepOf<B>(b);
  return {step * static_cast<float>(L::kLowest), step * static_cast<float>(L::kHighest)};
}

// The level of zero, which may lie outside the type's levels.
template <typename Q>
int32_t ZeroLevel(LevelRange range) {
  return LevelIn32Bits<Q>(0.0f, range.min, range.max);
}

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_QUANTIZED_LEVEL_RANGE_H_
