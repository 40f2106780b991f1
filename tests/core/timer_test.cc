// SPDX-License-Identifier: Apache-2.0
#include "core/threads/timer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"

namespace sluice {
namespace {

TEST(TimerTest, RunsCallbacksInTheOrderOfTheirTimes) {
  std::vector<int> order;
  absl::Notification last;
  Timer timer;
  const absl::Time now = absl::Now();
  timer.At(now + absl::Milliseconds(30), [&] {
    order.push_back(3);
    last.Notify();
  });
  timer.At(now + absl::Milliseconds(20), [&] { order.push_back(2); });
  timer.At(now - absl::Seconds(1), [&] { order.push_back(1); });
  last.WaitForNotification();
  EXPECT_THAT(order, testing::ElementsAre(1, 2, 3));
}

TEST(TimerTest, ForgottenCallbacksDoNotRun) {
  bool ran = false;
  absl::Notification later;
  Timer timer;
  const int64_t id = timer.At(absl::Now() + absl::Milliseconds(30), [&] { ran = true; });
  timer.Forget(id);
  timer.Forget(id);
  timer.Forget(12345);
  timer.At(absl::Now() + absl::Milliseconds(40), [&] { later.Notify(); });
  later.WaitForNotification();
  EXPECT_FALSE(ran);
}

TEST(TimerTest, CallbacksMaySetAndForgetTimers) {
  absl::Notification done;
  Timer timer;
  const int64_t other = timer.At(absl::Now() + absl::Hours(1), [] {});
  timer.At(absl::Now(), [&] {
    timer.Forget(other);
    timer.At(absl::Now(), [&] { done.Notify(); });
  });
  done.WaitForNotification();
}

TEST(TimerTest, DestructionDropsPendingCallbacks) {
  bool ran = false;
  auto kept = std::make_shared<int>(0);
  {
    Timer timer;
    timer.At(absl::Now() + absl::Hours(1), [&ran, kept] { ran = true; });
  }
  EXPECT_FALSE(ran);
  EXPECT_EQ(kept.use_count(), 1);
}

}  // namespace
}  // namespace sluice
