// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/memory_budget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/tensor/allocation_label.h"
#include "core/tensor/allocator.h"
#include "core/tensor/tensor.h"
#include "core/threads/thread_pool.h"

namespace sluice {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kMegabyte = 1 << 20;

class MemoryBudgetTest : public ::testing::Test {
 protected:
  // Leaves room for so many bytes.
  static void Leave(int64_t bytes) { SetMemoryLimit(AllMemoryInUse() + bytes); }
  ~MemoryBudgetTest() override { SetMemoryLimit(0); }

  static absl::StatusOr<Tensor> Allocate(int64_t megabytes) {
    return Tensor::Allocate(CpuAllocator(), kUint8, Shape{megabytes * kMegabyte});
  }
};

TEST_F(MemoryBudgetTest, TakesUpToTheLimit) {
  Leave(100);
  EXPECT_TRUE(TakeMemory(MemoryUse::kShared, 60));
  EXPECT_FALSE(TakeMemory(MemoryUse::kShared, 41));
  EXPECT_EQ(MemoryInUse(MemoryUse::kShared), 60);
  {
    const CountedMemory fits(MemoryUse::kShared, 40), too_much(MemoryUse::kShared, 1);
    EXPECT_TRUE(fits.taken());
    EXPECT_FALSE(too_much.taken());
  }
  EXPECT_EQ(MemoryInUse(MemoryUse::kShared), 60);
  GiveMemory(MemoryUse::kShared, 60);
}

TEST_F(MemoryBudgetTest, ATensorBeyondTheLimitIsAnErrorThatNamesTheLargest) {
  Leave(64 * kMegabyte);
  const AllocationLabel label("layer/weights");
  const absl::StatusOr<Tensor> first = Allocate(40);
  ASSERT_TRUE(first.ok()) << first.status();
  const absl::Status second = Allocate(41).status();
  EXPECT_EQ(second.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(second.message()), HasSubstr("limit "));
  EXPECT_THAT(std::string(second.message()), HasSubstr(" bytes of layer/weights"));
  EXPECT_TRUE(Allocate(10).ok());
}

TEST_F(MemoryBudgetTest, BlocksThatAreKeptMakeRoom) {
  Leave(64 * kMegabyte);
  for (const int64_t megabytes : {30, 40, 50, 60}) EXPECT_TRUE(Allocate(megabytes).ok());
}

TEST_F(MemoryBudgetTest, SmallBlocksFailOnlyInAScope) {
  Leave(0);
  std::vector<std::unique_ptr<Tensor>> outside;
  for (int i = 0; i < 100; ++i)
    outside.push_back(std::make_unique<Tensor>(kUint8, Shape{kMegabyte / 2}));
  const absl::Status status = WithinMemory([&]() -> absl::Status {
    for (int i = 0; i < 100; ++i)
      outside.push_back(std::make_unique<Tensor>(kUint8, Shape{kMegabyte / 2}));
    return absl::OkStatus();
  });
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
}

TEST_F(MemoryBudgetTest, ExceptionsOfMemoryBecomeErrors) {
  const auto from = [](const auto& exception) {
    return WithinMemory([&]() -> absl::Status { throw exception; }).code();
  };
  EXPECT_EQ(from(std::bad_alloc()), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(from(std::length_error("string")), absl::StatusCode::kResourceExhausted);
  EXPECT_FALSE(MemoryScope::OfThread());
}

TEST_F(MemoryBudgetTest, BlocksOfParallelForPassTheirExceptionOn) {
  const std::unique_ptr<WorkQueue> pool = CreateThreadPool(3, "test");
  const absl::Status status = WithinMemory([&]() -> absl::Status {
    ParallelFor(pool.get(), 1000, 1e6, [](int64_t begin, int64_t end) {
      EXPECT_TRUE(MemoryScope::OfThread());
      if (begin <= 700 && 700 < end) throw std::bad_alloc();
    });
    return absl::OkStatus();
  });
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
}

TEST_F(MemoryBudgetTest, TheMachineHasMemory) {
  EXPECT_GT(MachineMemory(), 64 * kMegabyte);
  EXPECT_LT(MachineMemory(), int64_t{1} << 50);
}

}  // namespace
}  // namespace sluice
