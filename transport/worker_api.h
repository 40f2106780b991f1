// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_WORKER_API_H_
#define SLUICE_TRANSPORT_WORKER_API_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/threads/cancel.h"
#include "transport/messages.h"

namespace sluice::transport {

// Where a call comes from.
class CallOrigin {
 public:
  virtual ~CallOrigin() = default;
  // As gRPC writes it: "ipv4:10.0.0.1:41234".
  virtual std::string address() const = 0;
};

struct CallOptions {
  absl::Time deadline = absl::InfiniteFuture();
  CancelToken* cancel = nullptr;       // outlives the call
  const CallOrigin* origin = nullptr;  // outlives the call; null: this process
};

template <typename T>
using Reply = absl::AnyInvocable<void(absl::StatusOr<T>)>;
using Ack = absl::AnyInvocable<void(absl::Status)>;

// The calls of a master to a worker. The worker in this process and one behind gRPC look the same.
//
// Owner:    Peers (remote), Server (local).
// Threads:  any. Replies run on a thread of the other side (or the caller's) and must not block.
// Errors:   kUnavailable names task and address when the worker is gone; kAborted: session or graph
//           unknown there (it was restarted).
inline constexpr absl::string_view kTimedOut = "Operation timed out.";

class WorkerApi {
 public:
  virtual ~WorkerApi() = default;
  virtual void GetStatus(const CallOptions& options, Reply<TaskStatus> done) = 0;
  virtual void CreateSession(const CreateWorkerSession& request, const CallOptions& options,
                             Ack done) = 0;
  virtual void DeleteSession(const std::string& session, const CallOptions& options, Ack done) = 0;
  virtual void Register(const RegisterGraph& request, const CallOptions& options,
                        Reply<uint64_t> done) = 0;
  virtual void Deregister(const std::string& session, uint64_t graph, const CallOptions& options,
                          Ack done) = 0;
  // Cancelling ends the step on that worker, as the deadline does. The reply comes when no part of
  // the step runs there any more. After the deadline its status is derived, and its message is
  // kTimedOut, followed by " " and a sentence if the step waited for other tasks.
  virtual void Run(RunGraph request, const CallOptions& options, Reply<RunGraphResult> done) = 0;
  // If empty, the default container.
  virtual void ClearContainers(const std::vector<std::string>& containers,
                               const CallOptions& options, Ack done) = 0;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_WORKER_API_H_
