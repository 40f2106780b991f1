// SPDX-License-Identifier: Apache-2.0
// The seeded order of a kernel's blocks and threads.
#ifndef SLUICE_TESTS_CUDA_DOUBLE_ORDER_H_
#define SLUICE_TESTS_CUDA_DOUBLE_ORDER_H_

#include <cstdint>
#include <numeric>

namespace sluice::cuda_double {

// Numbers of splitmix64: the double's only source of chance.
class Chance {
 public:
  explicit Chance(uint64_t seed) : state_(seed) {}
  uint64_t Next() {
    uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  uint64_t Below(uint64_t n) { return Next() % n; }

 private:
  uint64_t state_;
};

enum class Direction { kForward, kBackward, kShuffled };
inline Direction DirectionOf(uint64_t seed) {
  return seed == 0 ? Direction::kForward : seed == 1 ? Direction::kBackward : Direction::kShuffled;
}

// Each of 0 .. n-1 once.
class Order {
 public:
  Order(uint64_t n, Direction direction, Chance& chance) : n_(n) {
    if (n < 2 || direction == Direction::kForward) return;
    first_ = n - 1;
    step_ = n - 1;  // -1 modulo n
    if (direction == Direction::kBackward) return;
    first_ = chance.Below(n);
    do {
      step_ = 1 + chance.Below(n - 1);
    } while (std::gcd(step_, n) != 1);
  }

  // The i-th, in turn.
  uint64_t Next() {
    const uint64_t at = first_;
    first_ = (first_ + step_) % n_;
    return at;
  }

 private:
  uint64_t n_;
  uint64_t first_ = 0;
  uint64_t step_ = 1;
};

}  // namespace sluice::cuda_double

#endif  // SLUICE_TESTS_CUDA_DOUBLE_ORDER_H_
