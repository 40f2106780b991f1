// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_POLL_ACCEPTOR_H_
#define SLUICE_TRANSPORT_POLL_ACCEPTOR_H_

#include <sys/epoll.h>

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "transport/poll/poll_loop.h"

namespace sluice::transport {

// Accepts connections of a listening socket, on the loop's thread, and keeps each until it is gone.
// `T` represents a connection: Start begins to watch it; Close, from any thread, ends with a call
// of Gone.
//
// Owner:    a transport, which stops it before the data of `accept` goes.
// Threads:  any.
template <typename T>
class Acceptor {
 public:
  // Accepts the next connection of the listening socket; null if none is waiting.
  using Accept = std::function<std::shared_ptr<T>(int listener)>;

  Acceptor(PollLoop* loop, Descriptor listener, Accept accept)
      : loop_(loop), listener_(std::move(listener)), accept_(std::move(accept)) {}

  absl::Status Listen() {
    return loop_->Watch(listener_.get(), EPOLLIN, std::make_shared<Listening>(this), &watched_);
  }

  void Gone(const T* connection) {
    std::shared_ptr<T> dropped;  // destroyed outside the lock
    absl::MutexLock lock(&mu_);
    auto it = accepted_.find(connection);
    if (it == accepted_.end()) return;
    dropped = std::move(it->second);
    accepted_.erase(it);
  }

  bool stopping() const {
    absl::MutexLock lock(&mu_);
    return stopping_;
  }

  // When it returns, all connections are gone. Idempotent. Not on the loop's thread.
  void Stop() {
    {
      absl::MutexLock lock(&mu_);
      if (std::exchange(stopping_, true)) return;
    }
    // Runs on the loop, where connections are accepted: none comes afterwards.
    loop_->Run([this] { CloseAll(); });
    absl::MutexLock lock(&mu_);
    mu_.Await(absl::Condition(
        +[](Acceptor* self) ABSL_EXCLUSIVE_LOCKS_REQUIRED(self->mu_) {
          return !self->listening_ && self->accepted_.empty();
        },
        this));
  }

 private:
  struct Listening final : PollLoop::Watcher {
    explicit Listening(Acceptor* acceptor) : acceptor(acceptor) {}
    void Ready(uint32_t) override { acceptor->AcceptAll(); }
    Acceptor* const acceptor;  // outlives this watcher: forgets it first
  };

  void AcceptAll() {
    while (std::shared_ptr<T> connection = accept_(listener_.get())) {
      {
        absl::MutexLock lock(&mu_);
        if (stopping_) return;
        accepted_[connection.get()] = connection;
      }
      if (!connection->Start().ok()) Gone(connection.get());
    }
  }

  void CloseAll() {
    loop_->Forget(watched_, listener_.get());
    std::vector<std::shared_ptr<T>> all;
    {
      absl::MutexLock lock(&mu_);
      for (const auto& [key, connection] : accepted_) all.push_back(connection);
    }
    for (const auto& connection : all) connection->Close();
    absl::MutexLock lock(&mu_);
    listening_ = false;
  }

  PollLoop* const loop_;  // outlives this
  const Descriptor listener_;
  const Accept accept_;
  uint64_t watched_ = 0;

  mutable absl::Mutex mu_;
  bool stopping_ ABSL_GUARDED_BY(mu_) = false, listening_ ABSL_GUARDED_BY(mu_) = true;
  absl::flat_hash_map<const T*, std::shared_ptr<T>> accepted_ ABSL_GUARDED_BY(mu_);
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_POLL_ACCEPTOR_H_
