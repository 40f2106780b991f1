// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_BENCH_TRANSPORT_MEMORY_H_
#define SLUICE_BENCH_TRANSPORT_MEMORY_H_

#include <semaphore.h>

#include <atomic>

#include "bench/transport/far_process.h"

namespace sluice::bench {

// Memory that both processes see: each writes its message, then its number, and looks at the
// other's. A message of up to 56 bytes is in the cache line of its number.
struct SpinSlot {
  static constexpr int64_t kLimit = 64 << 10;
  struct alignas(64) Side {
    std::atomic<uint32_t> number{0};
    char bytes[kLimit];
  };
  sem_t order;  // posted when a run begins, so that nobody looks between runs
  int32_t count = 0, size = 0;
  std::atomic<bool> over{false};
  Side ping, pong;
};

// In memory of this process and its children.
SpinSlot* CreateSpinSlot();

// Two processes that look at memory without a rest: what is possible between two cores.
absl::StatusOr<std::unique_ptr<Contender>> CreateSpin(FarProcess& far);
std::unique_ptr<Responder> CreateSpinResponder(SpinSlot* slot);

// Copies in this process: what memory can do.
std::unique_ptr<Contender> CreateMemcpy();

}  // namespace sluice::bench

#endif  // SLUICE_BENCH_TRANSPORT_MEMORY_H_
