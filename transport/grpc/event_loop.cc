// SPDX-License-Identifier: Apache-2.0
#include "transport/grpc/event_loop.h"

#include <grpcpp/grpcpp.h>
#include <pthread.h>

#include <algorithm>
#include <utility>

#include "absl/time/clock.h"
#include "transport/busy_poll.h"
#include "transport/grpc/events.h"

namespace sluice::transport {
namespace {

thread_local EventLoop* led_here = nullptr;  // the loop that the calling thread leads
thread_local uint64_t lead_here = 0;         // the number of that lead

// More than the leader works while it polls for events.
constexpr absl::Duration kMuchWork = absl::Milliseconds(1);
// Between the deputy's checks: the first after the leader has worked, the second while it rests.
constexpr absl::Duration kCheck = absl::Milliseconds(10), kRestingCheck = absl::Milliseconds(250);

absl::Duration ProcessorTime(clockid_t thread) {
  timespec used = {};
  return clock_gettime(thread, &used) == 0 ? absl::DurationFromTimespec(used)
                                           : absl::ZeroDuration();
}

// Polls first, because the next event often comes soon.
bool Next(grpc::CompletionQueue& queue, void** tag, bool* ok) {
  const int64_t until = absl::GetCurrentTimeNanos() + absl::ToInt64Nanoseconds(BusyPollDuration());
  while (absl::GetCurrentTimeNanos() < until) {
    switch (queue.AsyncNext(tag, ok, gpr_time_0(GPR_CLOCK_MONOTONIC))) {
      case grpc::CompletionQueue::GOT_EVENT:
        return true;
      case grpc::CompletionQueue::SHUTDOWN:
        return false;
      case grpc::CompletionQueue::TIMEOUT:
        std::this_thread::yield();
    }
  }
  return queue.Next(tag, ok);
}

}  // namespace

EventLoop::EventLoop(int threads)
    : builder_(std::make_unique<grpc::ServerBuilder>()), queue_(builder_->AddCompletionQueue()) {
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { Run(); });
}

EventLoop::~EventLoop() {
  queue_->Shutdown();
  for (std::thread& thread : threads_) thread.join();
}

void EventLoop::Run() {
  while (AwaitLead()) Lead();
}

bool EventLoop::AwaitLead() {
  const auto may_lead = [this]() ABSL_SHARED_LOCKS_REQUIRED(mu_) { return !led_ || over_; };
  const auto may_watch = [&]()
                             ABSL_SHARED_LOCKS_REQUIRED(mu_) { return may_lead() || !has_deputy_; };
  absl::MutexLock lock(&mu_);
  mu_.Await(absl::Condition(&may_watch));
  if (!may_lead()) {
    has_deputy_ = true;
    absl::Duration wait = kCheck;
    while (!may_lead()) {
      const uint64_t lead = lead_, events = events_;
      const absl::Duration before = ProcessorTime(leader_);
      if (mu_.AwaitWithTimeout(absl::Condition(&may_lead), wait)) break;
      if (lead_ != lead) continue;
      const absl::Duration worked = ProcessorTime(leader_) - before;
      if (events_ == events && worked >= kMuchWork) break;
      wait = worked >= kMuchWork ? kCheck : std::min(2 * wait, kRestingCheck);
    }
    has_deputy_ = false;
  }
  if (over_) return false;
  led_ = true;
  pthread_getcpuclockid(pthread_self(), &leader_);
  lead_here = ++lead_;
  return true;
}

void EventLoop::Lead() {
  led_here = this;
  while (led_here == this && lead_.load(std::memory_order_relaxed) == lead_here) {
    void* tag = nullptr;
    bool ok = false;
    if (!Next(*queue_, &tag, &ok)) {
      led_here = nullptr;
      absl::MutexLock lock(&mu_);
      over_ = true;
      return;
    }
    events_.fetch_add(1, std::memory_order_relaxed);
    static_cast<Event*>(tag)->Happened(ok);
  }
  led_here = nullptr;
}

void EventLoop::StepAside() {
  EventLoop* const loop = std::exchange(led_here, nullptr);
  if (loop == nullptr) return;
  absl::MutexLock lock(&loop->mu_);
  if (loop->lead_ == lead_here) loop->led_ = false;
}

}  // namespace sluice::transport
