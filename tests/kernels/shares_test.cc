// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/random/shares.h"

#include <set>
#include <utility>

#include "absl/synchronization/mutex.h"
#include "gtest/gtest.h"

namespace sluice::kernels {
namespace {

TEST(SharesTest, LittleWorkOrOneThreadIsOneShare) {
  EXPECT_EQ(UnitsOfShare(1000, 50, 4), 1000);
  EXPECT_EQ(UnitsOfShare(1000, 1e6, 1), 1000);
  EXPECT_EQ(UnitsOfShare(1, 1e9, 4), 1);
}

TEST(SharesTest, SharesGrowWhileTheThreadsAreUsedAsWell) {
  EXPECT_EQ(UnitsOfShare(5, 79479, 2), 1);      // two units would leave a thread idle for longer
  EXPECT_EQ(UnitsOfShare(5, 79479, 4), 2);      // five shards take as many rounds as three
  EXPECT_EQ(UnitsOfShare(3, 134000, 2), 2);     // two shards, one for each thread
  EXPECT_EQ(UnitsOfShare(1000, 2161, 2), 125);  // four shards for each thread
}

TEST(SharesTest, EveryUnitOnce) {
  const auto pool = CreateThreadPool(3, "shares");
  absl::Mutex mu;
  std::set<std::pair<int64_t, int64_t>> shares;
  EXPECT_TRUE(ForEachShare(pool.get(), 5, 79479, [&](int64_t begin, int64_t end) {
                absl::MutexLock lock(&mu);
                shares.emplace(begin, end);
                return absl::OkStatus();
              }).ok());
  EXPECT_EQ(shares, (std::set<std::pair<int64_t, int64_t>>{{0, 2}, {2, 4}, {4, 5}}));
  EXPECT_TRUE(ForEachShare(nullptr, 0, 1, [](int64_t, int64_t) {
                return absl::InternalError("called");
              }).ok());
}

}  // namespace
}  // namespace sluice::kernels
