// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_MASTER_PENDING_REPLIES_H_
#define SLUICE_MASTER_PENDING_REPLIES_H_

#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "transport/worker_api.h"

namespace sluice::master {

// Waits for one answer from each of several calls. The control plane waits in no other way. Every
// call has its own deadline, so the wait ends. Answers may arrive after the PendingReplies is
// destroyed.
template <typename T>
class PendingReplies {
 public:
  explicit PendingReplies(size_t count) : state_(std::make_shared<State>(count)) {}

  transport::Reply<T> Reply(size_t i) {
    return [state = state_, i](absl::StatusOr<T> answer) { state->Put(i, std::move(answer)); };
  }
  transport::Ack Ack(size_t i) {
    return [state = state_, i](absl::Status status) {
      if (status.ok())
        state->Put(i, T());
      else
        state->Put(i, std::move(status));
    };
  }
  void Put(size_t i, absl::StatusOr<T> answer) { state_->Put(i, std::move(answer)); }

  std::vector<absl::StatusOr<T>> Wait() {
    absl::MutexLock lock(&state_->mu);
    state_->mu.Await(absl::Condition(
        +[](size_t* missing) { return *missing == 0; }, &state_->missing));
    return std::move(state_->answers);
  }

 private:
  struct State {
    explicit State(size_t count)
        : missing(count), answers(count, absl::UnknownError("no answer")) {}
    void Put(size_t i, absl::StatusOr<T> answer) {
      absl::MutexLock lock(&mu);
      answers[i] = std::move(answer);
      --missing;
    }
    absl::Mutex mu;
    size_t missing ABSL_GUARDED_BY(mu);
    std::vector<absl::StatusOr<T>> answers ABSL_GUARDED_BY(mu);
  };
  std::shared_ptr<State> state_;
};

// The first error among answers, or OK.
template <typename T>
absl::Status FirstError(const std::vector<absl::StatusOr<T>>& answers) {
  for (const auto& answer : answers) {
    if (!answer.ok()) return answer.status();
  }
  return absl::OkStatus();
}

}  // namespace sluice::master

#endif  // SLUICE_MASTER_PENDING_REPLIES_H_
