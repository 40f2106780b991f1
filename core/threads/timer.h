// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_THREADS_TIMER_H_
#define SLUICE_CORE_THREADS_TIMER_H_

#include <cstdint>
#include <thread>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/btree_map.h"
#include "absl/container/flat_hash_map.h"
#include "absl/functional/any_invocable.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"

namespace sluice {

// A Timer runs callbacks at their time, on its own thread: deadlines of steps.
//
// Threads:  any. A callback must not block.
class Timer {
 public:
  using Callback = absl::AnyInvocable<void()>;
  Timer();
  ~Timer();  // callbacks that have not run are dropped

  int64_t At(absl::Time when, Callback callback);
  void Forget(int64_t id);  // the callback may be running now

 private:
  void Loop();
  absl::Mutex mu_;
  absl::CondVar changed_;  // signalled only for what the loop would sleep through
  bool stop_ ABSL_GUARDED_BY(mu_) = false;
  // When the loop's sleep ends. Its callback may be forgotten since: then the loop wakes once for
  // nothing, which is cheaper than a wake-up for each step with a deadline.
  absl::Time sleeps_until_ ABSL_GUARDED_BY(mu_) = absl::InfinitePast();
  int64_t next_id_ ABSL_GUARDED_BY(mu_) = 1;
  absl::btree_map<std::pair<absl::Time, int64_t>, Callback> waiting_ ABSL_GUARDED_BY(mu_);
  absl::flat_hash_map<int64_t, absl::Time> when_ ABSL_GUARDED_BY(mu_);
  std::thread thread_;
};

}  // namespace sluice

#endif  // SLUICE_CORE_THREADS_TIMER_H_
