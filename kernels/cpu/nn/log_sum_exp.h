// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_NN_LOG_SUM_EXP_H_
#define SLUICE_KERNELS_CPU_NN_LOG_SUM_EXP_H_

#include <cmath>
#include <limits>
#include <utility>

namespace sluice::kernels {

// The logarithm of the probability 0.
template <typename T>
inline constexpr T kLogZero = -std::numeric_limits<T>::infinity();

// The logarithm of the sum of two probabilities, given by their logarithms. TensorFlow computes what
// the smaller one adds in float, for double too.
template <typename T>
T LogSumExp(T a, T b) {
  if (a == kLogZero<T>) return b;
  if (b == kLogZero<T>) return a;
  if (!(a > b)) std::swap(a, b);
  return a + static_cast<T>(std::log1p(std::exp(static_cast<float>(b - a))));
}

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_NN_LOG_SUM_EXP_H_
