// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_NN_DRAW_BELOW_H_
#define SLUICE_KERNELS_CPU_NN_DRAW_BELOW_H_

#include <bit>
#include <limits>

#include "kernels/common/philox.h"

namespace sluice::kernels {

// Uniform in [0, n), with TensorFlow's use of the stream. REQUIRES: n > 0.
inline uint32_t DrawBelow(PhiloxWords& words, uint32_t n) {
  if (std::has_single_bit(n)) return words.Next() & (n - 1);
  const uint32_t remainder = std::numeric_limits<uint32_t>::max() % n + 1;  // it would be a bias
  uint32_t word = 0;
  do {
    word = words.Next();
  } while (word < remainder);
  return word % n;
}

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_NN_DRAW_BELOW_H_
