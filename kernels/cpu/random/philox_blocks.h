// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_RANDOM_PHILOX_BLOCKS_H_
#define SLUICE_KERNELS_CPU_RANDOM_PHILOX_BLOCKS_H_

#include <cstdint>

#include "kernels/common/philox.h"

namespace sluice::kernels {

// So many blocks are computed side by side. The compiler keeps loops of this length, and vectorises
// them.
constexpr int kBlocksAtOnce = 32;

// The blocks from `ahead` on: Philox::Of, with loops over blocks.
inline void BlocksAt(const Philox& philox, uint64_t ahead, Philox::Block (&blocks)[kBlocksAtOnce]) {
  constexpr int n = kBlocksAtOnce;
  uint32_t c0[n], c1[n], c2[n], c3[n];
  const uint64_t first = philox.low() + ahead;
  const uint64_t carry = first < philox.low() ? 1 : 0;
  for (int i = 0; i < n; ++i) {
    const uint64_t low = first + static_cast<uint64_t>(i);
    const uint64_t high = philox.high() + (low < first ? 1 : carry);
    c0[i] = static_cast<uint32_t>(low), c1[i] = static_cast<uint32_t>(low >> 32);
    c2[i] = static_cast<uint32_t>(high), c3[i] = static_cast<uint32_t>(high >> 32);
  }
  auto k0 = static_cast<uint32_t>(philox.key()), k1 = static_cast<uint32_t>(philox.key() >> 32);
  for (int round = 0; round < Philox::kRounds; ++round) {
    for (int i = 0; i < n; ++i) {
      const uint64_t a = uint64_t{Philox::kMultiplier0} * c0[i];
      const uint64_t b = uint64_t{Philox::kMultiplier1} * c2[i];
      c0[i] = static_cast<uint32_t>(b >> 32) ^ c1[i] ^ k0;
      c1[i] = static_cast<uint32_t>(b);
      c2[i] = static_cast<uint32_t>(a >> 32) ^ c3[i] ^ k1;
      c3[i] = static_cast<uint32_t>(a);
    }
    k0 += Philox::kWeyl0, k1 += Philox::kWeyl1;
  }
  for (int i = 0; i < n; ++i) blocks[i] = {c0[i], c1[i], c2[i], c3[i]};
}

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_RANDOM_PHILOX_BLOCKS_H_
