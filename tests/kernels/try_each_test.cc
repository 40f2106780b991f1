// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/common/try_each.h"

#include <array>
#include <atomic>

#include "gtest/gtest.h"

namespace sluice::kernels {
namespace {

constexpr double kNs = 1e5;  // of one call: enough to share them

TEST(TryEachTest, CallsEachOnce) {
  const auto pool = CreateThreadPool(4, "test");
  std::array<std::atomic<int>, 100> calls = {};
  EXPECT_TRUE(TryEach(pool.get(), 100, kNs, [&](int64_t i) {
                ++calls[static_cast<size_t>(i)];
                return absl::OkStatus();
              }).ok());
  for (const auto& count : calls) EXPECT_EQ(count, 1);
}

TEST(TryEachTest, TheFirstThatFailsIsTheFailure) {
  const auto pool = CreateThreadPool(4, "test");
  for (int turn = 0; turn < 50; ++turn) {
    const absl::Status status = TryEach(pool.get(), 100, kNs, [](int64_t i) {
      return i % 10 == 7 ? Internal("number ", i) : absl::OkStatus();
    });
    EXPECT_EQ(status, Internal("number 7"));
  }
}

TEST(TryEachTest, WithoutAPoolItStopsAtTheFirst) {
  int calls = 0;
  EXPECT_FALSE(TryEach(nullptr, 10, kNs, [&](int64_t) {
                 ++calls;
                 return absl::Status(absl::StatusCode::kInternal, "");
               }).ok());
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace sluice::kernels
