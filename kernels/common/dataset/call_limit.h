// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_CALL_LIMIT_H_
#define SLUICE_KERNELS_COMMON_DATASET_CALL_LIMIT_H_

#include <deque>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "core/threads/cancel.h"

namespace sluice::kernels {

// A CallLimit lets a number of calls run at a time. Further calls wait for their turn, first come,
// first served, without a thread.
//
// Owner:    what the calls are made for; it outlives them.
// Threads:  any.
class CallLimit {
 public:
  // Runs once: with OK when it is the call's turn, or with the reason of the cancellation.
  using Turn = absl::AnyInvocable<void(const absl::Status&)>;

  explicit CallLimit(int64_t most) : most_(most), free_(most) {}
  int64_t most() const { return most_; }

  // `turn` may run before Begin returns. `cancel` outlives the call.
  void Begin(CancelToken& cancel, Turn turn);
  // A call whose turn ran with OK has ended.
  void End();

 private:
  struct Waiter;

  const int64_t most_;

  absl::Mutex mu_;
  int64_t free_ ABSL_GUARDED_BY(mu_);
  std::deque<std::shared_ptr<Waiter>> waiters_ ABSL_GUARDED_BY(mu_);
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_CALL_LIMIT_H_
