// SPDX-License-Identifier: Apache-2.0
#include "core/device/region_blocks.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace sluice {
namespace {

constexpr size_t kGrain = RegionBlocks::kGrain;

// Addresses are only numbers here: the memory is not accessed.
char* At(size_t offset) { return reinterpret_cast<char*>((size_t{1} << 40) + offset); }
char* Take(RegionBlocks& blocks, size_t bytes, uint64_t stamp = RegionBlocks::kAnyStamp) {
  return blocks.Take(bytes, stamp, /*any_region=*/true, "node", 4);
}

TEST(RegionBlocksTest, GivesTheSmallestBlockThatFits) {
  RegionBlocks blocks;
  blocks.AddRegion(At(0), 64 * kGrain, true);
  char* const a = Take(blocks, 8 * kGrain);
  char* const b = Take(blocks, kGrain);
  char* const c = Take(blocks, 4 * kGrain);
  char* const d = Take(blocks, kGrain);
  EXPECT_EQ(d, c + 4 * kGrain);
  EXPECT_EQ(blocks.Give(a, 0), 8 * kGrain);
  blocks.Give(c, 0);
  EXPECT_EQ(Take(blocks, 3 * kGrain - 1), c);
  EXPECT_EQ(Take(blocks, 5 * kGrain), a);
  (void)b;
}

TEST(RegionBlocksTest, NeighboursJoin) {
  RegionBlocks blocks;
  blocks.AddRegion(At(0), 4 * kGrain, true);
  std::vector<char*> all;
  for (int i = 0; i < 4; ++i) all.push_back(Take(blocks, 1));
  EXPECT_EQ(Take(blocks, 1), nullptr);
  for (int i : {0, 2, 1, 3}) blocks.Give(all[i], 0);
  EXPECT_EQ(Take(blocks, 4 * kGrain), At(0));
}

TEST(RegionBlocksTest, JoinedBlocksKeepTheHighestStamp) {
  RegionBlocks blocks;
  blocks.AddRegion(At(0), 2 * kGrain, true);
  char* const a = Take(blocks, 1);
  char* const b = Take(blocks, 1);
  blocks.Give(a, 3);
  blocks.Give(b, 7);
  EXPECT_EQ(Take(blocks, 1, 6), nullptr);
  EXPECT_EQ(Take(blocks, 1, 7), At(0));
  EXPECT_EQ(Take(blocks, 1, 6), nullptr);  // the rest has the stamp too
}

TEST(RegionBlocksTest, SmallRequestsHaveTheirOwnRegions) {
  RegionBlocks blocks;
  blocks.AddRegion(At(0), size_t{4} << 20, false);
  EXPECT_EQ(blocks.Take(1, RegionBlocks::kAnyStamp, false, nullptr, 0), nullptr);
  EXPECT_NE(Take(blocks, 1), nullptr);
  EXPECT_NE(blocks.Take(size_t{1} << 20, RegionBlocks::kAnyStamp, false, nullptr, 0), nullptr);
  EXPECT_EQ(Take(blocks, ~size_t{0}), nullptr);
}

TEST(RegionBlocksTest, UnusedRegionsGo) {
  RegionBlocks blocks;
  blocks.AddRegion(At(0), 4 * kGrain, true);
  blocks.AddRegion(At(1 << 20), 4 * kGrain, true);
  char* const a = Take(blocks, 4 * kGrain);
  EXPECT_TRUE(blocks.Owns(At((1 << 20) + 4 * kGrain - 1)));
  EXPECT_FALSE(blocks.Owns(At(4 * kGrain)));
  auto removed = blocks.RemoveUnused();
  ASSERT_EQ(removed.size(), 1u);
  EXPECT_EQ(removed[0].bytes, 4 * kGrain);
  EXPECT_EQ(blocks.region_bytes(), 4 * kGrain);
  EXPECT_TRUE(blocks.Owns(a));
  blocks.Give(a, 9);
  EXPECT_EQ(blocks.RemoveUnused().size(), 1u);
  EXPECT_FALSE(blocks.Owns(a));
}

TEST(RegionBlocksTest, NamesTheLargest) {
  RegionBlocks blocks;
  blocks.AddRegion(At(0), 64 * kGrain, true);
  const std::string label(100, 'x');
  blocks.Take(100, RegionBlocks::kAnyStamp, true, "small", 5);
  blocks.Take(3000, RegionBlocks::kAnyStamp, true, label.data(), label.size());
  blocks.Take(500, RegionBlocks::kAnyStamp, true, nullptr, 0);
  const auto largest = blocks.Largest(2);
  ASSERT_EQ(largest.size(), 2u);
  EXPECT_EQ(largest[0].bytes, 3000u);
  EXPECT_EQ(largest[0].label, std::string(RegionBlocks::kLabel - 1, 'x'));
  EXPECT_EQ(largest[1].bytes, 500u);
  EXPECT_STREQ(largest[1].label, "");
}

// Random requests against a table of live blocks: blocks never overlap, and all of a region is
// returned.
TEST(RegionBlocksTest, RandomRequestsNeverOverlap) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    std::minstd_rand random(seed + 1);
    RegionBlocks blocks;
    size_t end = 0;
    std::map<char*, size_t> live;
    for (int i = 0; i < 3000; ++i) {
      if (random() % 5 < 3) {
        const size_t bytes = 1 + random() % (random() % 8 == 0 ? 200'000 : 3'000);
        char* block = Take(blocks, bytes);
        if (block == nullptr) {
          blocks.AddRegion(At(end), size_t{1} << 20, random() % 2 == 0);
          end += size_t{1} << 20;
          block = Take(blocks, bytes);
        }
        ASSERT_NE(block, nullptr);
        const auto next = live.lower_bound(block);
        ASSERT_TRUE(next == live.end() || block + bytes <= next->first);
        ASSERT_TRUE(next == live.begin() ||
                    std::prev(next)->first + std::prev(next)->second <= block);
        live[block] = bytes;
      } else if (!live.empty()) {
        auto gone = live.begin();
        std::advance(gone, random() % live.size());
        ASSERT_EQ(blocks.Give(gone->first, i), gone->second);
        live.erase(gone);
      }
    }
    for (const auto& [block, bytes] : live) blocks.Give(block, 0);
    EXPECT_EQ(blocks.RemoveUnused().size(), end >> 20);
    EXPECT_EQ(blocks.region_bytes(), 0u);
  }
}

}  // namespace
}  // namespace sluice
