// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/resident_memory.h"

#include <gtest/gtest.h>

#include <malloc.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "core/tensor/memory_budget.h"

namespace sluice {
namespace {

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

TEST(ResidentMemory, FreedMemoryGoesBackNearTheLimit) {
  constexpr size_t kBlock = 1024, kBlocks = 256 << 10;
  malloc_trim(0);  // what other tests have freed
  const int64_t empty = ResidentMemory();
  EXPECT_GT(empty, 0);
  std::vector<std::unique_ptr<char[]>> blocks(kBlocks);
  std::thread([&] {  // malloc has an arena for it
    for (auto& block : blocks) {
      block = std::make_unique<char[]>(kBlock);
      memset(block.get(), 1, kBlock);
    }
    for (size_t i = 0; i < kBlocks; ++i) {
      if (i % 64 != 0) blocks[i].reset();
    }
  })
      .join();
  const int64_t kept = ResidentMemory();
  ASSERT_GT(kept, empty + 100'000'000);
  LimitResidentMemory(0, kept);
  EXPECT_GT(ResidentMemory(), empty + 100'000'000) << "the counted memory has not grown";
  LimitResidentMemory(kept / 2, 2 * kept);
  EXPECT_GT(ResidentMemory(), empty + 100'000'000) << "the limit is far away";
  LimitResidentMemory(0, kept);
  LimitResidentMemory(kept / 2, kept);
  EXPECT_LT(ResidentMemory(), empty + 100'000'000);
}

TEST(ResidentMemory, MemoryThatNobodyCountsCountsToo) {
  constexpr size_t kBytes = 200'000'000;
  CountResidentMemory();
  SetMemoryLimit(INT64_MAX);
  EXPECT_TRUE(MemoryFits(INT64_MAX / 4));  // it also measures
  const int64_t before = UncountedMemory();
  SetMemoryLimit(AllMemoryInUse() + before + int64_t{2 * kBytes});
  EXPECT_TRUE(TakeMemory(MemoryUse::kTensors, kBytes));
  GiveMemory(MemoryUse::kTensors, kBytes);
  {
    // Without operator new: for a library.
    const std::unique_ptr<void, decltype(&free)> block(malloc(3 * kBytes / 2), &free);
    memset(block.get(), 1, 3 * kBytes / 2);
    EXPECT_FALSE(TakeMemory(MemoryUse::kTensors, kBytes));
    EXPECT_GT(UncountedMemory(), before + int64_t{kBytes});
  }
  EXPECT_TRUE(TakeMemory(MemoryUse::kTensors, kBytes));
  GiveMemory(MemoryUse::kTensors, kBytes);
  SetMemoryLimit(0);
  CountResidentMemory(false);
}

TEST(ResidentMemory, ALargeRequestWaitsForWhatIsBeingFreed) {
  constexpr int64_t kBytes = 1'000'000'000, kPieces = 50;
  CountResidentMemory();
  SetMemoryLimit(INT64_MAX);
  EXPECT_TRUE(MemoryFits(INT64_MAX / 4));  // it also measures
  SetMemoryLimit(AllMemoryInUse() + UncountedMemory() + kBytes);
  AddMemory(MemoryUse::kTensors, kBytes);  // of a step that has failed
  EXPECT_FALSE(TakeMemory(MemoryUse::kTensors, kBytes / 2)) << "nothing is freed";
  std::thread frees([] {
    for (int i = 0; i < kPieces; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      GiveMemory(MemoryUse::kTensors, kBytes / kPieces);
    }
  });
  EXPECT_TRUE(TakeMemory(MemoryUse::kTensors, kBytes / 2));
  frees.join();
  GiveMemory(MemoryUse::kTensors, kBytes / 2);
  SetMemoryLimit(0);
  CountResidentMemory(false);
}

#endif

}  // namespace
}  // namespace sluice
