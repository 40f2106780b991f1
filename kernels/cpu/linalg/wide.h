// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_LINALG_WIDE_H_
#define SLUICE_KERNELS_CPU_LINALG_WIDE_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/tensor/dtype.h"

// Single precision is computed in double. This halves the code of decompositions that compile
// slowly, and results are exact to about the last bit.

namespace sluice::kernels {

template <typename T>
using Wide = std::conditional_t<std::is_floating_point_v<T>, double, Complex128>;

template <typename T>
std::vector<Wide<T>> Widened(const T* from, int64_t n) {
  return std::vector<Wide<T>>(from, from + n);
}

template <typename T>
void CopyNarrowed(const std::vector<Wide<T>>& from, T* to) {
  std::transform(from.begin(), from.end(), to,
                 [](const Wide<T>& value) { return static_cast<T>(value); });
}

template <typename W>
bool AllFinite(const std::vector<W>& values) {
  return std::all_of(values.begin(), values.end(),
                     [](const W& value) { return std::isfinite(std::abs(value)); });
}

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_LINALG_WIDE_H_
