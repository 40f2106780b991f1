// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_PROTOCOL_RUN_CALLS_H_
#define SLUICE_TRANSPORT_PROTOCOL_RUN_CALLS_H_

#include <cstdint>
#include <functional>
#include <memory>

#include "transport/worker_api.h"

namespace sluice::transport {

// The pending RunGraph calls on a tensor stream. A call ends when the peer answers, the stream
// breaks, or its cancel token fires; its caller is then called once.
//
// Owner:    a channel.
// Threads:  any. Callbacks run on the thread that answers, breaks or cancels.
class RunCalls {
 public:
  // Tells the peer that a call was cancelled. Called without locks.
  using Cancel = std::function<void(uint64_t call)>;
  explicit RunCalls(Cancel cancel);
  ~RunCalls();  // REQUIRES: Close was called

  // Starts a pending call and returns its number.
  uint64_t Begin(CancelToken* token, Reply<RunGraphResult> done);
  bool Waits(uint64_t call) const;
  bool empty() const;
  void Answered(uint64_t call, const absl::Status& status);
  // Answers all pending calls.
  void Break(const absl::Status& status);
  // The same; after it returns, Cancel is not called any more.
  void Close(const absl::Status& status);

 private:
  struct State;  // shared with the tokens' callbacks, weakly
  const std::shared_ptr<State> state_;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_PROTOCOL_RUN_CALLS_H_
