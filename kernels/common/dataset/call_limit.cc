// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/dataset/call_limit.h"

#include <atomic>
#include <utility>

#include "core/threads/blocking_threads.h"

namespace sluice::kernels {

struct CallLimit::Waiter {
  CancelToken* cancel;
  Turn turn;
  std::atomic<bool> taken{false};
  int64_t registered = 0;

  bool Take() { return !taken.exchange(true); }
};

void CallLimit::Begin(CancelToken& cancel, Turn turn) {
  bool begun = false;
  {
    absl::MutexLock lock(&mu_);
    if (free_ == 0) {
      auto waiter = std::make_shared<Waiter>();
      waiter->cancel = &cancel;
      waiter->turn = std::move(turn);
      waiter->registered = cancel.Register([waiter](const absl::Status& why) {
        if (waiter->Take()) std::move(waiter->turn)(why);
      });
      if (waiter->registered != 0) {
        waiters_.push_back(std::move(waiter));
        return;
      }
      turn = std::move(waiter->turn);
    } else {
      --free_;
      begun = true;
    }
  }
  turn(begun ? absl::OkStatus() : cancel.status());
}

void CallLimit::End() {
  std::shared_ptr<Waiter> next;
  {
    absl::MutexLock lock(&mu_);
    while (next == nullptr && !waiters_.empty()) {
      if (waiters_.front()->Take()) next = std::move(waiters_.front());
      waiters_.pop_front();
    }
    if (next == nullptr) ++free_;
  }
  if (next == nullptr) return;
  next->cancel->Deregister(next->registered);
  // A short call may run here, end, and begin the next in turn.
  static thread_local int depth = 0;
  constexpr int kMostDepth = 16;
  if (depth == kMostDepth) {
    return RunBlocking([next] { next->turn(absl::OkStatus()); });
  }
  ++depth;
  next->turn(absl::OkStatus());
  --depth;
}

}  // namespace sluice::kernels
