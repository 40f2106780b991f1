// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_PHILOX_H_
#define SLUICE_KERNELS_COMMON_PHILOX_H_

#include <array>
#include <cstdint>

namespace sluice::kernels {

// Philox 4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC'11). A counter
// of 128 bits and a key of 64 bits give a block of four words. Each block is computed without those
// before it, so threads share one stream.
class Philox {
 public:
  using Block = std::array<uint32_t, 4>;

  static constexpr int kRounds = 10;
  static constexpr uint32_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
  static constexpr uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;  // added to the key's halves

  Philox() = default;
  // The counter's low half counts blocks; its high half distinguishes streams with one key.
  constexpr Philox(uint64_t key, uint64_t stream) : key_(key), high_(stream) {}

  // Starts at any value of the 128-bit counter.
  constexpr Philox(uint64_t key, uint64_t low, uint64_t high) : key_(key), low_(low), high_(high) {}
  constexpr uint64_t low() const { return low_; }
  constexpr uint64_t high() const { return high_; }
  constexpr uint64_t key() const { return key_; }

  // The block `ahead` of the next one.
  constexpr Block At(uint64_t ahead) const {
    const uint64_t low = low_ + ahead;
    return Of(low, high_ + (low < low_ ? 1 : 0), key_);
  }
  constexpr void Skip(uint64_t blocks) {
    low_ += blocks;
    if (low_ < blocks) ++high_;
  }

  static constexpr Block Of(uint64_t low, uint64_t high, uint64_t key) {
    Block c = {static_cast<uint32_t>(low), static_cast<uint32_t>(low >> 32),
               static_cast<uint32_t>(high), static_cast<uint32_t>(high >> 32)};
    auto k0 = static_cast<uint32_t>(key), k1 = static_cast<uint32_t>(key >> 32);
    for (int round = 0; round < kRounds; ++round, k0 += kWeyl0, k1 += kWeyl1) {
      const uint64_t a = uint64_t{kMultiplier0} * c[0], b = uint64_t{kMultiplier1} * c[2];
      c = {static_cast<uint32_t>(b >> 32) ^ c[1] ^ k0, static_cast<uint32_t>(b),
           static_cast<uint32_t>(a >> 32) ^ c[3] ^ k1, static_cast<uint32_t>(a)};
    }
    return c;
  }

 private:
  uint64_t key_ = 0;
  uint64_t low_ = 0, high_ = 0;
};

// The words of a Philox stream one by one.
class PhiloxWords {
 public:
  constexpr PhiloxWords(const Philox& philox, uint64_t first_block)
      : philox_(philox), first_(first_block), block_(first_block) {}

  // How many words were drawn.
  constexpr uint64_t drawn() const {
    return (block_ - first_) * 4 - static_cast<uint64_t>(4 - at_);
  }
  // As if so many had been drawn.
  constexpr void MoveTo(uint64_t drawn) {
    block_ = first_ + drawn / 4;
    at_ = 4;
    for (uint64_t i = 0; i < drawn % 4; ++i) Next();
  }

  constexpr uint32_t Next() {
    if (at_ == 4) {
      words_ = philox_.At(block_++);
      at_ = 0;
    }
    return words_[at_++];
  }

 private:
  const Philox philox_;
  const uint64_t first_;
  uint64_t block_;
  Philox::Block words_ = {};
  int at_ = 4;
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_PHILOX_H_
