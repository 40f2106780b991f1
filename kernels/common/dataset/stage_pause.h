// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_STAGE_PAUSE_H_
#define SLUICE_KERNELS_COMMON_DATASET_STAGE_PAUSE_H_

#include <atomic>
#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace sluice::kernels {

// Where the stages of one run stand still once the step of the last request was cancelled, until
// there is another request: what a step asked for takes no processor after its deadline. They go on
// where they stood, so that no element is lost.
//
// Owner:    the run. It outlives the stages.
// Threads:  any.
class StagePause {
 public:
  // While there is a request, no stage stands still.
  void BeginRequest() {
    absl::MutexLock lock(&mu_);
    ++requests_;
    paused_.store(false, std::memory_order_relaxed);
  }
  // `cancelled`: nobody takes the element that was asked for.
  void EndRequest(bool cancelled) {
    absl::MutexLock lock(&mu_);
    if (--requests_ == 0 && cancelled && !over_) paused_.store(true, std::memory_order_relaxed);
  }
  // No stage stands still any more.
  void End() {
    absl::MutexLock lock(&mu_);
    over_ = true;
    paused_.store(false, std::memory_order_relaxed);
  }
  // For a stage, before it makes an element: waits while the run stands still.
  void Pass() {
    if (!paused_.load(std::memory_order_relaxed)) return;
    absl::MutexLock lock(&mu_);
    mu_.Await(absl::Condition(
        +[](StagePause* pause) { return !pause->paused_.load(std::memory_order_relaxed); }, this));
  }

 private:
  absl::Mutex mu_;
  std::atomic<bool> paused_{false};  // changes with mu_ held
  int64_t requests_ ABSL_GUARDED_BY(mu_) = 0;
  bool over_ ABSL_GUARDED_BY(mu_) = false;
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_STAGE_PAUSE_H_
