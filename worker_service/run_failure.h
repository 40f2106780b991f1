// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_RUN_FAILURE_H_
#define SLUICE_WORKER_SERVICE_RUN_FAILURE_H_

#include <atomic>
#include <optional>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "worker_service/executable.h"

namespace sluice::worker {

// A RunFailure collects the errors of an execution and keeps the one to report: the first root
// error, or the first derived error if there is no root error.
//
// Owner:    the Execution.
// Threads:  any, but Reset.
class RunFailure {
 public:
  explicit RunFailure(const Executable& exec) : exec_(exec) {}

  void Reset() {
    absl::MutexLock lock(&mu_);
    status_ = absl::OkStatus();
    failed_.store(false, std::memory_order_relaxed);
  }

  // Nodes that have not begun do not need to run.
  bool failed() const { return failed_.load(std::memory_order_relaxed); }
  absl::Status status() const {
    absl::MutexLock lock(&mu_);
    return status_;
  }

  // Adds the name, op and device of the node to a root error. Returns the error if it is the first
  // of the execution.
  std::optional<absl::Status> Record(uint32_t node, const absl::Status& cause);

 private:
  const Executable& exec_;
  std::atomic<bool> failed_{false};
  mutable absl::Mutex mu_;
  absl::Status status_ ABSL_GUARDED_BY(mu_);
};

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_RUN_FAILURE_H_
