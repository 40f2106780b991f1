// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_TICK_CLOCK_H_
#define SLUICE_KERNELS_COMMON_DATASET_TICK_CLOCK_H_

#include <atomic>
#include <cstdint>

namespace sluice::kernels {

// A clock whose reading costs one load. A thread advances it about every millisecond while it has
// a User. A duration is right on average, because it counts the steps that fall into it.
//
// Threads:  any.
class TickClock {
 public:
  static int64_t NowMicros() { return now_.load(std::memory_order_relaxed); }

  // Keeps the clock going. Time that passes without a User is seen by the next one.
  class User {
   public:
    User() {
      users_.fetch_add(1);
      if (!going_.load()) Start();
    }
    ~User() { users_.fetch_sub(1); }
    User(const User&) = delete;
    User& operator=(const User&) = delete;
  };

 private:
  static void Start();
  static void Go();

  static std::atomic<int64_t> now_;
  static std::atomic<int64_t> users_;
  static std::atomic<bool> going_;
};

// The sum of durations, those that have not ended included. The value holds their number in its
// low bits, and above them the sum of their ends less the sum of their beginnings.
//
// Threads:  Begin and End from any, BeginAlone and EndAlone from one at a time; Micros from any.
class TickSum {
 public:
  void Begin() { value_.fetch_add(Step(), std::memory_order_relaxed); }
  void End() { value_.fetch_sub(Step(), std::memory_order_relaxed); }
  void BeginAlone() { Set(value_.load(std::memory_order_relaxed) + Step()); }
  void EndAlone() { Set(value_.load(std::memory_order_relaxed) - Step()); }
  void AddMicros(int64_t micros) {
    value_.fetch_add(static_cast<uint64_t>(micros) << kCountBits, std::memory_order_relaxed);
  }
  int64_t Micros() const {
    const uint64_t value = value_.load(std::memory_order_relaxed);
    const uint64_t open = value & ((uint64_t{1} << kCountBits) - 1);
    const uint64_t now = static_cast<uint64_t>(TickClock::NowMicros());
    return static_cast<int64_t>((value - open) + ((open * now) << kCountBits)) >> kCountBits;
  }

 private:
  static constexpr int kCountBits = 14;

  static uint64_t Step() {
    return 1 - (static_cast<uint64_t>(TickClock::NowMicros()) << kCountBits);
  }
  void Set(uint64_t value) { value_.store(value, std::memory_order_relaxed); }

  std::atomic<uint64_t> value_{0};
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_TICK_CLOCK_H_
