// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CLIENT_WAIT_WHILE_H_
#define SLUICE_CLIENT_WAIT_WHILE_H_

#include <functional>

#include "absl/time/time.h"
#include "core/status.h"
#include "transport/pending_reply.h"

namespace sluice::client {

// The interval at which a wait asks whether to go on, and the time budget for the answer to a
// cancellation.
inline constexpr absl::Duration kPoll = absl::Milliseconds(50);
inline constexpr absl::Duration kCancelWait = absl::Milliseconds(1000);

// Returns the answer, or CANCELLED soon after `go_on` (called every kPoll; may be null) returns
// false.
template <typename T>
absl::StatusOr<T> WaitWhile(const std::function<bool()>& go_on, transport::PendingReply<T>& call) {
  if (go_on == nullptr) return call.Wait();
  while (!call.WaitFor(kPoll)) {
    if (go_on()) continue;
    call.cancel()->Cancel(absl::CancelledError("the step was interrupted"));
    if (!call.WaitFor(kCancelWait)) {
      return absl::CancelledError("the step was interrupted, and its end not waited for");
    }
  }
  return call.Wait();
}

}  // namespace sluice::client

#endif  // SLUICE_CLIENT_WAIT_WHILE_H_
