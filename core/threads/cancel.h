// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_THREADS_CANCEL_H_
#define SLUICE_CORE_THREADS_CANCEL_H_

#include <atomic>
#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "absl/container/btree_map.h"
#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"

namespace sluice {

// A CancelToken tells the waiting parts of a step that the step has ended.
//
// Owner:    the Step.
// Threads:  any. Callbacks run on the cancelling thread, without a lock held.
class CancelToken {
 public:
  using Callback = absl::AnyInvocable<void(const absl::Status&)>;

  bool cancelled() const { return cancelled_.load(std::memory_order_acquire); }
  absl::Status status() const;  // OK until cancelled
  // Runs every registered callback once with `reason`, the oldest first. Only the first call has an
  // effect.
  void Cancel(absl::Status reason);
  // Returns 0, and does not keep `callback`, if the token is already cancelled.
  int64_t Register(Callback callback);
  // Never waits. Returns false if the callback already ran or is running now. Then the callback
  // itself must keep its data alive (a shared_ptr, or a weak_ptr that it locks).
  bool Deregister(int64_t id);

 private:
  std::atomic<bool> cancelled_{false};
  mutable absl::Mutex mu_;
  absl::Status reason_ ABSL_GUARDED_BY(mu_);
  int64_t next_id_ ABSL_GUARDED_BY(mu_) = 1;
  absl::btree_map<int64_t, Callback> callbacks_ ABSL_GUARDED_BY(mu_);
};

}  // namespace sluice

#endif  // SLUICE_CORE_THREADS_CANCEL_H_
