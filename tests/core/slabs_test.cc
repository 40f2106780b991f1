// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/slabs.h"

#include <vector>

#include "core/tensor/allocator.h"
#include "core/tensor/unused_memory.h"
#include "gtest/gtest.h"

namespace sluice {
namespace {

constexpr size_t kMegabyte = 1 << 20;

struct Ended final : SlabWatcher {
  Ended() { WatchSlabs(this); }
  ~Ended() { StopWatchingSlabs(this); }
  void SlabEnds(const Slab& slab) override { ended.push_back(slab.data); }
  bool Has(const void* data) const {
    return std::find(ended.begin(), ended.end(), data) != ended.end();
  }
  std::vector<const void*> ended;
};

TEST(SlabsTest, SmallBlocksAreInNoSlab) {
  void* block = CpuAllocator().Allocate(1000);
  EXPECT_FALSE(FindSlab(block).has_value());
  CpuAllocator().Free(block, 1000);
}

TEST(SlabsTest, ALargeBlockIsInASlabThatEndsWhenItsMemoryIsReturned) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "under AddressSanitizer every block is a malloc";
#endif
  const Ended watcher;
  constexpr size_t kBytes = 40 * kMegabyte;  // so much that it is returned
  auto* block = static_cast<char*>(CpuAllocator().Allocate(kBytes));
  for (const size_t offset : {size_t{0}, kBytes / 2, kBytes - 1}) {
    const auto slab = FindSlab(block + offset);
    ASSERT_TRUE(slab.has_value());
    EXPECT_EQ(slab->data, block);
    EXPECT_GE(slab->bytes, kBytes);
  }
  CpuAllocator().Free(block, kBytes);
  EXPECT_FALSE(watcher.Has(block)) << "it is kept for the next block";
  ReturnUnusedMemory();
  EXPECT_TRUE(watcher.Has(block));
  EXPECT_FALSE(FindSlab(block).has_value());
}

}  // namespace
}  // namespace sluice
