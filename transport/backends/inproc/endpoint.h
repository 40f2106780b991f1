// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_INPROC_ENDPOINT_H_
#define SLUICE_TRANSPORT_BACKENDS_INPROC_ENDPOINT_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/functional/any_invocable.h"
#include "absl/synchronization/mutex.h"
#include "transport/poll/poll_loop.h"
#include "transport/protocol/run_calls.h"
#include "transport/tensor_channel.h"

namespace sluice::transport {

// The sending end of a channel to another task of this process, as the receiving end sees it. It
// gets the answers to RunGraph calls, and learns that the receiving end has closed.
//
// Owner:    the channel, and every call of it in progress.
// Threads:  any, but TellAnswer and TellGone not on `loop`'s.
class Caller {
 public:
  // `loop` and `sink` belong to the sending task, `peer` is the receiving one. `cancel` is that of
  // RunCalls.
  Caller(PollLoop* loop, std::string peer, TensorSink* sink, RunCalls::Cancel cancel)
      : loop_(loop), peer_(std::move(peer)), calls_(std::move(cancel)), sink_(sink) {}

  RunCalls& calls() { return calls_; }
  static void TellAnswer(const std::shared_ptr<Caller>& self, uint64_t call,
                         const absl::Status& answer);
  static void TellGone(const std::shared_ptr<Caller>& self);
  // After it returns there are no callbacks, pending calls are answered, and loop and sink are not
  // used.
  void HangUp();
  absl::Status Gone() const {
    return Unavailable("task ", peer_, " in this process: it has stopped");
  }

 private:
  PollLoop* const loop_;
  const std::string peer_;
  RunCalls calls_;
  absl::Mutex mu_;  // held while the sink is called
  TensorSink* sink_ ABSL_GUARDED_BY(mu_);
};

// The receiving end of a task for the other tasks of this process.
//
// Owner:    shared by its transport and the channels to it. The transport closes it before the loop
//           is destroyed.
// Threads:  any but the loop's. The sink is called on the loop's thread, in the order of the calls
//           here.
class Endpoint : public std::enable_shared_from_this<Endpoint> {
 public:
  using Path = std::shared_ptr<ReturnPath>;

  explicit Endpoint(PollLoop* loop) : loop_(loop) {}

  void Open(TensorSink* sink);
  // `caller` begins to send, under the name `from`. Returns false if this is closed, like the
  // functions below.
  bool Enter(const std::string& from, const Path& path, const std::shared_ptr<Caller>& caller);
  bool Deliver(const std::string& from, const ParcelId& id, Parcel parcel);
  // `call` is pending in the caller's calls. It is answered there, unless this closes.
  bool Run(const std::shared_ptr<Caller>& caller, uint64_t call, RunGraph request,
           absl::Time deadline);
  void CancelRun(const Caller* caller, uint64_t call);
  // Cancels the pending calls of the caller.
  void Leave(const std::string& from, const Path& path, const Caller* caller);
  // After it returns nothing is delivered, and all callers know that it is closed. Idempotent.
  void Close();
  bool closed() const {
    absl::MutexLock lock(&mu_);
    return closed_;
  }

 private:
  using RunKey = std::pair<const Caller*, uint64_t>;  // the caller, and its number for the run
  using Runs = absl::flat_hash_map<RunKey, std::shared_ptr<CancelToken>>;

  // Runs the task on the loop's thread. Returns false if this is closed.
  bool Post(absl::AnyInvocable<void()> task) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    if (!closed_) loop_->Run(std::move(task));
    return !closed_;
  }
  // Null if the run has ended.
  std::shared_ptr<CancelToken> TakeRun(const RunKey& key);

  PollLoop* const loop_;
  TensorSink* sink_ = nullptr;  // used on the loop's thread; null: not open yet, or closed
  mutable absl::Mutex mu_;
  bool closed_ ABSL_GUARDED_BY(mu_) = false, quiet_ ABSL_GUARDED_BY(mu_) = false;
  absl::flat_hash_map<const Caller*, std::shared_ptr<Caller>> callers_ ABSL_GUARDED_BY(mu_);
  Runs runs_ ABSL_GUARDED_BY(mu_);
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BACKENDS_INPROC_ENDPOINT_H_
