// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_PENDING_REPLY_H_
#define SLUICE_TRANSPORT_PENDING_REPLY_H_

#include <memory>
#include <optional>
#include <utility>

#include "absl/synchronization/notification.h"
#include "core/threads/cancel.h"
#include "transport/worker_api.h"

namespace sluice::transport {

// Waits for the answer of one call. The data of the call lives until the answer arrives, even if
// the wait has ended.
template <typename T>
class PendingReply {
 public:
  Reply<T> reply() {
    return [state = state_](absl::StatusOr<T> answer) {
      state->answer = std::move(answer);
      state->there.Notify();
    };
  }
  // For CallOptions.
  CancelToken* cancel() { return &state_->cancel; }
  std::shared_ptr<CancelToken> shared_cancel() { return {state_, &state_->cancel}; }

  absl::StatusOr<T> Wait() {
    state_->there.WaitForNotification();
    return std::move(*state_->answer);
  }
  bool WaitFor(absl::Duration limit) { return state_->there.WaitForNotificationWithTimeout(limit); }

 private:
  struct State {
    CancelToken cancel;
    absl::Notification there;
    std::optional<absl::StatusOr<T>> answer;
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_PENDING_REPLY_H_
