// SPDX-License-Identifier: Apache-2.0
#include "core/device/sync_points.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace sluice {
namespace {

class SyncPointsTest : public ::testing::Test {
 protected:
  void Add(int name) {
    points_.Add([this, name](absl::Status) { seen_.push_back(name); });
  }
  SyncPoints points_{[] { return absl::OkStatus(); }};
  std::vector<int> seen_;
};

TEST_F(SyncPointsTest, WithoutWorkItIsNow) {
  Add(1);
  EXPECT_EQ(seen_, std::vector<int>{1});
}

TEST_F(SyncPointsTest, WaitsForWorkBeforeIt) {
  const uint64_t a = points_.Begin(), b = points_.Begin();
  Add(1);
  const uint64_t c = points_.Begin();
  points_.End(b);
  EXPECT_TRUE(seen_.empty());
  points_.End(a);
  EXPECT_EQ(seen_, std::vector<int>{1});
  Add(2);
  points_.End(c);
  EXPECT_EQ(seen_, (std::vector<int>{1, 2}));
}

TEST_F(SyncPointsTest, LaterPointsWaitForEarlierOnes) {
  const uint64_t a = points_.Begin();
  Add(1);
  Add(2);
  EXPECT_TRUE(seen_.empty());
  points_.End(a);
  EXPECT_EQ(seen_, (std::vector<int>{1, 2}));
}

TEST_F(SyncPointsTest, CallbacksMayAddPoints) {
  const uint64_t a = points_.Begin();
  points_.Add([this](absl::Status) {
    seen_.push_back(1);
    Add(3);
  });
  Add(2);
  points_.End(a);
  EXPECT_EQ(seen_, (std::vector<int>{1, 2, 3}));
}

TEST_F(SyncPointsTest, ThreadsMissNothing) {
  std::atomic<int> ran = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) {
        const uint64_t work = points_.Begin();
        points_.Add([&](absl::Status) { ++ran; });
        points_.End(work);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(ran, 4000);
}

TEST(SyncPointsStatusTest, CallbacksGetTheStatusOfThen) {
  absl::Status now;
  SyncPoints points([&] { return now; });
  const uint64_t work = points.Begin();
  absl::Status seen;
  points.Add([&](absl::Status status) { seen = status; });
  now = Internal("lost");
  points.End(work);
  EXPECT_EQ(seen.message(), "lost");
}

}  // namespace
}  // namespace sluice
