// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_BENCH_TRANSPORT_MEMORY_H_
#define SLUICE_BENCH_TRANSPORT_MEMORY_H_

#include <semaphore.h>

#include <atomic>

#include "bench/transport/far_process.h"

namespace sluice::bench {

// Memory common to both processes: each writes its message, then its number, and polls the other's.
// A message of up to 56 bytes is in the cache line of its number.
struct SpinSlot {
  static constexpr int64_t kLimit = 64 << 10;
  struct alignas(64) Side {
    std::atomic<uint32_t> number{0};
    char bytes[kLimit];
  };
  sem_t order;  // posted when a run begins, so that no process polls between runs
  int32_t count = 0, size = 0;
  std::atomic<bool> over{false};
  Side ping, pong;
};

// In memory of this process and its children.
SpinSlot* CreateSpinSlot();

// Two processes that poll memory all the time: the limit between two cores.
absl::StatusOr<std::unique_ptr<Contender>> CreateSpin(FarProcess& far);
std::unique_ptr<Responder> CreateSpinResponder(SpinSlot* slot);

// Copies in this process: the limit of memory.
std::unique_ptr<Contender> CreateMemcpy();

}  // namespace sluice::bench

#endif  // SLUICE_BENCH_TRANSPORT_MEMORY_H_
