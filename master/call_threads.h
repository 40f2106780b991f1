// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_MASTER_CALL_THREADS_H_
#define SLUICE_MASTER_CALL_THREADS_H_

#include <deque>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/synchronization/mutex.h"
#include "core/status.h"

namespace sluice::master {

// CallThreads runs calls that may wait for other tasks. Each has a thread of its own, up to a
// limit; later calls wait until one ends. So a flood of calls costs neither memory nor threads
// without bound.
//
// Threads:  any.
class CallThreads {
 public:
  static constexpr int kMostThreads = 256;
  static constexpr size_t kMostWaiting = 4096;

  ~CallThreads() { AwaitEnd(); }
  void Run(absl::AnyInvocable<void()> call);
  // RESOURCE_EXHAUSTED if as many calls wait as may. Ask before Run.
  absl::Status CheckRoom() const;
  // Waits until no call runs or waits.
  void AwaitEnd();

 private:
  void Loop();

  mutable absl::Mutex mu_;
  std::deque<absl::AnyInvocable<void()>> waiting_ ABSL_GUARDED_BY(mu_);
  int threads_ ABSL_GUARDED_BY(mu_) = 0;
};

}  // namespace sluice::master

#endif  // SLUICE_MASTER_CALL_THREADS_H_
