// SPDX-License-Identifier: Apache-2.0
#include "master/call_threads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"

namespace sluice::master {
namespace {

// Calls that wait until they may go on.
class CallThreadsTest : public ::testing::Test {
 protected:
  void Flood(int calls) {
    for (int i = 0; i < calls; ++i) {
      threads_.Run([this] {
        const int now = running_.fetch_add(1) + 1;
        int most = most_.load();
        while (now > most && !most_.compare_exchange_weak(most, now)) {
        }
        go_on_.WaitForNotification();
        running_.fetch_sub(1);
        ended_.fetch_add(1);
      });
    }
  }

  std::atomic<int> running_{0}, most_{0}, ended_{0};
  absl::Notification go_on_;
  CallThreads threads_;
};

TEST_F(CallThreadsTest, AFloodOfCallsHasFewThreads) {
  Flood(2000);
  go_on_.Notify();
  threads_.AwaitEnd();
  EXPECT_EQ(ended_, 2000);
  EXPECT_LE(most_, CallThreads::kMostThreads);
}

TEST_F(CallThreadsTest, MoreThanMayWaitAreRefused) {
  Flood(CallThreads::kMostThreads + CallThreads::kMostWaiting);
  // The threads take their first calls when they have started.
  while (running_ < CallThreads::kMostThreads) absl::SleepFor(absl::Milliseconds(1));
  const absl::Status status = threads_.CheckRoom();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(status.message()),
              testing::HasSubstr("4096 calls that wait for 256 others"));
  go_on_.Notify();
  threads_.AwaitEnd();
  EXPECT_TRUE(threads_.CheckRoom().ok());
  EXPECT_EQ(ended_, CallThreads::kMostThreads + 4096);
}

TEST_F(CallThreadsTest, ACallMayStartAnother) {
  std::atomic<bool> ran = false;
  threads_.Run([&] { threads_.Run([&] { ran = true; }); });
  threads_.AwaitEnd();
  EXPECT_TRUE(ran);
}

}  // namespace
}  // namespace sluice::master
