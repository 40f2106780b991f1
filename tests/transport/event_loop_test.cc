// SPDX-License-Identifier: Apache-2.0
#include "transport/grpc/event_loop.h"

#include <grpcpp/alarm.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <thread>

#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "transport/grpc/events.h"

namespace sluice::transport {
namespace {

// An event that a test posts to a loop.
class Posted final : public Event {
 public:
  Posted(EventLoop& loop, std::function<void()> run) : run_(std::move(run)) {
    absl::MutexLock lock(&mu_);
    alarm_.Set(loop.queue(), gpr_now(GPR_CLOCK_MONOTONIC), this);
  }
  void Happened(bool) override {
    { absl::MutexLock made(&mu_); }
    run_();
    ran_.Notify();
  }
  void Wait() { ran_.WaitForNotification(); }

 private:
  const std::function<void()> run_;
  absl::Mutex mu_;  // also orders gRPC's alarm, for ThreadSanitizer
  absl::Notification ran_;
  grpc::Alarm alarm_;
};

TEST(EventLoop, OneThreadRunsShortEvents) {
  EventLoop loop(4);
  std::set<std::thread::id> threads;  // no lock: one thread at a time
  for (int i = 0; i < 100; ++i)
    Posted(loop, [&] { threads.insert(std::this_thread::get_id()); }).Wait();
  EXPECT_EQ(threads.size(), 1u);
}

TEST(EventLoop, AnEventThatStepsAsideMayWaitForOthers) {
  EventLoop loop(3);
  absl::Notification second, third;
  Posted one(loop, [&] {
    EventLoop::StepAside();
    EventLoop::StepAside();  // once is enough
    second.WaitForNotification();
  });
  Posted two(loop, [&] {
    EventLoop::StepAsideFor(1 << 20);
    third.WaitForNotification();
    second.Notify();
  });
  Posted three(loop, [&] {
    EventLoop::StepAsideFor(10);  // too little work to step aside
    third.Notify();
  });
  one.Wait();
  two.Wait();
  three.Wait();
}

TEST(EventLoop, AThreadLeadsAgainAfterItStepsAside) {
  EventLoop loop(1);
  for (int i = 0; i < 10; ++i) Posted(loop, [] { EventLoop::StepAside(); }).Wait();
}

TEST(EventLoop, SteppingAsideElsewhereIsNothing) { EventLoop::StepAside(); }

}  // namespace
}  // namespace sluice::transport
