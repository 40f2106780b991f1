// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_SHARED_WORD_H_
#define SLUICE_WORKER_SERVICE_SHARED_WORD_H_

#include <atomic>
#include <cstdint>
#include <utility>

#include "absl/synchronization/mutex.h"

// Counters, state words and locks of an execution. With kShared, several threads run the step, and
// the operations are atomic. Otherwise one thread runs it, and they are plain.

namespace sluice::worker {

template <bool kShared>
uint64_t FetchAdd(uint64_t& word, uint64_t delta) {
  if constexpr (kShared) return std::atomic_ref(word).fetch_add(delta, std::memory_order_acq_rel);
  return std::exchange(word, word + delta);
}

template <bool kShared>
uint64_t FetchOr(uint64_t& word, uint64_t bits) {
  if constexpr (kShared) return std::atomic_ref(word).fetch_or(bits, std::memory_order_acq_rel);
  return std::exchange(word, word | bits);
}

template <bool kShared>
int64_t AddTo(int64_t& counter, int64_t delta) {  // returns the new value
  if constexpr (kShared)
    return std::atomic_ref(counter).fetch_add(delta, std::memory_order_acq_rel) + delta;
  return counter += delta;
}

template <bool kShared>
class LockIfShared {
 public:
  explicit LockIfShared(absl::Mutex& mu) : mu_(mu) {
    if constexpr (kShared) mu_.Lock();
  }
  ~LockIfShared() {
    if constexpr (kShared) mu_.Unlock();
  }
  LockIfShared(const LockIfShared&) = delete;
  LockIfShared& operator=(const LockIfShared&) = delete;

 private:
  absl::Mutex& mu_;
};

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_SHARED_WORD_H_
