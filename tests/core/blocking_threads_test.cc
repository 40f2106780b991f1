// SPDX-License-Identifier: Apache-2.0
#include "core/threads/blocking_threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>

#include "absl/synchronization/blocking_counter.h"
#include "absl/synchronization/notification.h"

namespace sluice {
namespace {

// A chain in which each task waits for the next one: a pool of a fixed size would stand still.
void WaitForNext(int left, std::shared_ptr<absl::Notification> ended) {
  if (left > 0) {
    auto next = std::make_shared<absl::Notification>();
    RunBlocking([=] { WaitForNext(left - 1, next); });
    next->WaitForNotification();
  }
  ended->Notify();
}

TEST(BlockingThreadsTest, ATaskFindsTheTaskThatItWaitsFor) {
  auto ended = std::make_shared<absl::Notification>();
  RunBlocking([ended] { WaitForNext(50, ended); });
  EXPECT_TRUE(ended->WaitForNotificationWithTimeout(absl::Seconds(30)));
}

TEST(BlockingThreadsTest, RunsEachTaskOnce) {
  constexpr int kTasks = 2000;
  std::atomic<int> runs{0};
  absl::BlockingCounter left(kTasks);
  for (int i = 0; i < kTasks; ++i) {
    RunBlocking([&] {
      runs.fetch_add(1);
      left.DecrementCount();
    });
  }
  left.Wait();
  EXPECT_EQ(runs.load(), kTasks);
}

}  // namespace
}  // namespace sluice
