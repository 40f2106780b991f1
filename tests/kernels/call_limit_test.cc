// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/dataset/call_limit.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "absl/synchronization/blocking_counter.h"

namespace sluice::kernels {
namespace {

TEST(CallLimitTest, CallsWaitForTheirTurnInOrder) {
  CallLimit limit(2);
  CancelToken cancel;
  std::vector<int> begun;
  for (int i = 0; i < 5; ++i)
    limit.Begin(cancel, [&begun, i](const absl::Status& turn) {
      EXPECT_TRUE(turn.ok());
      begun.push_back(i);
    });
  EXPECT_EQ(begun, (std::vector<int>{0, 1}));
  limit.End();
  EXPECT_EQ(begun, (std::vector<int>{0, 1, 2}));
  for (int i = 0; i < 4; ++i) limit.End();
  EXPECT_EQ(begun, (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST(CallLimitTest, ACancelledCallLeavesTheLine) {
  CallLimit limit(1);
  CancelToken cancel, other;
  std::vector<absl::StatusCode> seen;
  const auto turn = [&seen](const absl::Status& status) { seen.push_back(status.code()); };
  limit.Begin(cancel, turn);
  limit.Begin(cancel, turn);
  limit.Begin(other, turn);
  cancel.Cancel(absl::CancelledError("the end"));
  limit.Begin(cancel, turn);  // it does not begin to wait
  EXPECT_EQ(seen, (std::vector{absl::StatusCode::kOk, absl::StatusCode::kCancelled,
                               absl::StatusCode::kCancelled}));
  limit.End();
  EXPECT_EQ(seen.size(), 4);
  EXPECT_EQ(seen.back(), absl::StatusCode::kOk);
  limit.End();
  limit.Begin(other, turn);
  EXPECT_EQ(seen.size(), 5);
}

TEST(CallLimitTest, ManyShortCallsFromManyThreads) {
  constexpr int kThreads = 4, kCalls = 5000;
  CallLimit limit(3);
  CancelToken cancel;
  std::atomic<int> active{0};
  absl::BlockingCounter ended(kThreads * kCalls);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < kCalls; ++i)
        limit.Begin(cancel, [&](const absl::Status& turn) {
          EXPECT_TRUE(turn.ok());
          EXPECT_LE(++active, 3);
          --active;
          limit.End();
          ended.DecrementCount();
        });
    });
  }
  ended.Wait();
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace sluice::kernels
