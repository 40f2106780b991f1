// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/dataset/tick_clock.h"

#include <chrono>

#include "absl/base/const_init.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "core/threads/blocking_threads.h"

namespace sluice::kernels {
namespace {

constexpr absl::Duration kTick = absl::Milliseconds(1);
constexpr int kTicksWithoutUser = 100;  // after which the thread ends

ABSL_CONST_INIT absl::Mutex starting(absl::kConstInit);

int64_t SteadyMicros() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::microseconds>(now).count();
}

}  // namespace

std::atomic<int64_t> TickClock::now_{0};
std::atomic<int64_t> TickClock::users_{0};
std::atomic<bool> TickClock::going_{false};

void TickClock::Start() {
  absl::MutexLock lock(&starting);
  if (going_.load()) return;
  now_.store(SteadyMicros(), std::memory_order_relaxed);
  going_.store(true);
  RunBlocking(&TickClock::Go);
}

void TickClock::Go() {
  for (int unused = 0;;) {
    absl::SleepFor(kTick);
    now_.store(SteadyMicros(), std::memory_order_relaxed);
    unused = users_.load() == 0 ? unused + 1 : 0;
    if (unused < kTicksWithoutUser) continue;
    absl::MutexLock lock(&starting);
    going_.store(false);
    // A user that came before that has seen the clock going.
    if (users_.load() == 0) return;
    going_.store(true);
  }
}

}  // namespace sluice::kernels
