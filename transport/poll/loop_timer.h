// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_POLL_LOOP_TIMER_H_
#define SLUICE_TRANSPORT_POLL_LOOP_TIMER_H_

#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <functional>
#include <memory>
#include <utility>

#include "absl/synchronization/notification.h"
#include "absl/time/time.h"
#include "transport/poll/poll_loop.h"

namespace sluice::transport {

// Calls a function on the loop's thread at regular times.
//
// Owner:    the transport, which stops it before the data of `look` goes.
class LoopTimer {
 public:
  LoopTimer(PollLoop* loop, absl::Duration every, std::function<void()> look)
      : loop_(loop),
        every_(every),
        look_(std::move(look)),
        timer_(timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC)) {}

  absl::Status Start() {
    const timespec every = absl::ToTimespec(every_);
    const itimerspec times = {every, every};
    if (!timer_.valid() || timerfd_settime(timer_.get(), 0, &times, nullptr) != 0)
      return Unavailable("cannot make a timer: ", strerror(errno));
    return loop_->Watch(timer_.get(), EPOLLIN, std::make_shared<Watching>(this), &watched_);
  }
  // From now on at other times; 0: not until the next call. On the loop's thread.
  void SetEvery(absl::Duration every) {
    const timespec time = absl::ToTimespec(every);
    const itimerspec times = {time, time};
    timerfd_settime(timer_.get(), 0, &times, nullptr);
  }
  // When it returns, `look` is not called any more. Not on the loop's thread.
  void Stop() {
    const uint64_t watched = std::exchange(watched_, 0);
    if (watched == 0) return;
    absl::Notification stopped;
    loop_->Run([&] {
      loop_->Forget(watched, timer_.get());
      stopped.Notify();
    });
    stopped.WaitForNotification();
  }

 private:
  struct Watching final : PollLoop::Watcher {
    explicit Watching(LoopTimer* clock) : clock(clock) {}
    void Ready(uint32_t) override {
      uint64_t times = 0;
      if (read(clock->timer_.get(), &times, sizeof(times)) == sizeof(times)) clock->look_();
    }
    LoopTimer* const clock;  // outlives this watcher: forgets it first
  };

  PollLoop* const loop_;
  const absl::Duration every_;
  const std::function<void()> look_;
  const Descriptor timer_;
  uint64_t watched_ = 0;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_POLL_LOOP_TIMER_H_
