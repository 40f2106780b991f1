// SPDX-License-Identifier: Apache-2.0
#include "transport/grpc/event_loop.h"

#include <grpcpp/grpcpp.h>

#include "absl/time/clock.h"
#include "transport/busy_poll.h"
#include "transport/grpc/events.h"

namespace sluice::transport {
namespace {

thread_local EventLoop* led_here = nullptr;  // the loop that the calling thread leads

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
  const auto may_lead = [this]() ABSL_SHARED_LOCKS_REQUIRED(mu_) { return !led_ || over_; };
  for (;;) {
    {
      absl::MutexLock lock(&mu_);
      mu_.Await(absl::Condition(&may_lead));
      if (over_) return;
      led_ = true;
    }
    Lead();
  }
}

void EventLoop::Lead() {
  led_here = this;
  while (led_here == this) {
    void* tag = nullptr;
    bool ok = false;
    if (!Next(*queue_, &tag, &ok)) {
      led_here = nullptr;
      absl::MutexLock lock(&mu_);
      over_ = true;
      return;
    }
    static_cast<Event*>(tag)->Happened(ok);
  }
}

void EventLoop::StepAside() {
  EventLoop* const loop = std::exchange(led_here, nullptr);
  if (loop == nullptr) return;
  absl::MutexLock lock(&loop->mu_);
  loop->led_ = false;
}

}  // namespace sluice::transport
