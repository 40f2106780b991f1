// SPDX-License-Identifier: Apache-2.0
#include "core/threads/blocking_threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <set>
#include <thread>

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

// What a thread keeps of freed memory is used again.
TEST(BlockingThreadsTest, AThreadThatWasIdleForLongRests) {
  constexpr int kThreads = 8;
  absl::BlockingCounter begun(kThreads), ended(kThreads);
  absl::Notification all;
  for (int i = 0; i < kThreads; ++i) {
    RunBlocking([&] {
      begun.DecrementCount();
      all.WaitForNotification();
      ended.DecrementCount();
    });
  }
  begun.Wait();
  all.Notify();
  ended.Wait();
  std::set<std::thread::id> used;
  for (int i = 0; i < 20 * kThreads; ++i) {
    absl::Notification done;
    RunBlocking([&] {
      if (i >= 10 * kThreads) used.insert(std::this_thread::get_id());
      done.Notify();
    });
    done.WaitForNotification();
  }
  EXPECT_LT(used.size(), static_cast<size_t>(kThreads));
}

}  // namespace
}  // namespace sluice
