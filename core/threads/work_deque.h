// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_THREADS_WORK_DEQUE_H_
#define SLUICE_CORE_THREADS_WORK_DEQUE_H_

#include <array>
#include <atomic>
#include <cstdint>

namespace sluice {

// A WorkDeque holds one thread's ready tasks: its owner pushes and pops at one end, others steal at
// the other. Chase and Lev, "Dynamic circular work-stealing deque" (2005), with a fixed size and
// the memory order of Le et al. (2013). Sequentially consistent accesses replace their fences,
// which ThreadSanitizer does not support.
//
// Threads:  Push and Pop by the owner; Steal and empty by any.
template <typename T>
class WorkDeque {
 public:
  static constexpr int64_t kCapacity = 4096;  // a power of two

  // Returns false if it is full.
  bool Push(T* item) {
    const int64_t bottom = bottom_.load(std::memory_order_relaxed);
    if (bottom - top_.load(std::memory_order_acquire) >= kCapacity) return false;
    At(bottom).store(item, std::memory_order_relaxed);
    bottom_.store(bottom + 1, std::memory_order_seq_cst);
    return true;
  }

  // The newest item, or null.
  T* Pop() {
    const int64_t bottom = bottom_.load(std::memory_order_relaxed) - 1;
    if (top_.load(std::memory_order_relaxed) > bottom)
      return nullptr;  // empty: only other threads move top, upwards
    bottom_.store(bottom, std::memory_order_seq_cst);
    int64_t top = top_.load(std::memory_order_seq_cst);
    if (top < bottom) return At(bottom).load(std::memory_order_relaxed);
    // The last item, or none: the thread that moves top gets it.
    T* item = nullptr;
    if (top == bottom) {
      item = At(bottom).load(std::memory_order_relaxed);
      if (!top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst)) item = nullptr;
    }
    bottom_.store(bottom + 1, std::memory_order_release);
    return item;
  }

  // The oldest item. Null if there is none, or if another thread took it first.
  T* Steal() {
    int64_t top = top_.load(std::memory_order_seq_cst);
    if (top >= bottom_.load(std::memory_order_seq_cst)) return nullptr;
    T* item = At(top).load(std::memory_order_relaxed);
    return top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst) ? item : nullptr;
  }

  bool empty() const {
    return top_.load(std::memory_order_seq_cst) >= bottom_.load(std::memory_order_seq_cst);
  }

 private:
  std::atomic<T*>& At(int64_t i) { return slots_[static_cast<size_t>(i & (kCapacity - 1))]; }

  alignas(64) std::atomic<int64_t> top_{0};
  alignas(64) std::atomic<int64_t> bottom_{0};
  alignas(64) std::array<std::atomic<T*>, kCapacity> slots_{};
};

}  // namespace sluice

#endif  // SLUICE_CORE_THREADS_WORK_DEQUE_H_
