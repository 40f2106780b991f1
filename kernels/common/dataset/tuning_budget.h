// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_TUNING_BUDGET_H_
#define SLUICE_KERNELS_COMMON_DATASET_TUNING_BUDGET_H_

#include <atomic>
#include <cstdint>

#include "core/tensor/ref.h"

namespace sluice::kernels {

// The resources that the stages of a run which tune themselves may use together.
//
// Threads:  any.
class TuningBudget final : public RefCounted {
 public:
  // `cpus`: the calls at a time of one stage. `bytes`: of the elements made ahead.
  TuningBudget(int64_t cpus, int64_t bytes) : cpus_(cpus), free_(bytes) {}

  int64_t cpus() const { return cpus_; }
  // False, without effect, if less is left.
  bool Reserve(int64_t bytes) {
    int64_t left = free_.load(std::memory_order_relaxed);
    while (left >= bytes) {
      if (free_.compare_exchange_weak(left, left - bytes, std::memory_order_relaxed)) return true;
    }
    return false;
  }
  void Release(int64_t bytes) { free_.fetch_add(bytes, std::memory_order_relaxed); }

 private:
  const int64_t cpus_;
  std::atomic<int64_t> free_;
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_TUNING_BUDGET_H_
