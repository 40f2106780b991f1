// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_DEVICE_REGION_BLOCKS_H_
#define SLUICE_CORE_DEVICE_REGION_BLOCKS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/container/btree_set.h"
#include "absl/container/flat_hash_map.h"

namespace sluice {

// RegionBlocks divides regions of memory into blocks. The smallest free block that is large enough
// serves a request, the rest of it stays free, and a freed block is merged with its free
// neighbours. Small requests have separate regions, so that they do not fragment large ones. The
// memory itself is not accessed.
//
// A free block has a stamp, the highest of those with which its parts were freed. The owner defines
// its meaning. For device memory it is the mark in the compute stream after which no work uses the
// bytes.
//
// Threads:  the owner's lock guards it.
class RegionBlocks {
 public:
  static constexpr size_t kGrain = 256;                // sizes and addresses are multiples of it
  static constexpr size_t kSmall = size_t{256} << 10;  // the largest small request
  static constexpr uint64_t kAnyStamp = ~uint64_t{0};
  static constexpr size_t kLabel = 56;

  struct Live {
    size_t bytes;  // as requested
    char label[kLabel];
  };
  struct Region {
    char* base;
    size_t bytes;
  };

  RegionBlocks();
  ~RegionBlocks();

  // REQUIRES: a multiple of kGrain. `small`: for small requests.
  void AddRegion(char* base, size_t bytes, bool small);
  // A block whose stamp is at most `stamp`, from the regions for requests of this size, or from all
  // if `any_region`. Null if there is none. `label` is cut to kLabel - 1 bytes.
  char* Take(size_t bytes, uint64_t stamp, bool any_region, const char* label, size_t label_bytes);
  // Returns the bytes that were requested. REQUIRES: a block from Take.
  size_t Give(char* block, uint64_t stamp);
  // Removes all regions that have no live block.
  std::vector<Region> RemoveUnused();

  size_t region_bytes() const { return region_bytes_; }
  // The live blocks with the most bytes, largest first.
  std::vector<Live> Largest(size_t count) const;
  bool Owns(const void* address) const;

 private:
  struct Block;
  struct BySize {
    bool operator()(const Block* a, const Block* b) const;
  };
  using FreeBlocks = absl::btree_set<Block*, BySize>;

  Block* Find(size_t bytes, uint64_t stamp, bool small);
  Block* Join(Block* first, Block* second);
  Block* NewBlock();
  void Recycle(Block* block);

  size_t region_bytes_ = 0;
  std::array<FreeBlocks, 2> free_;  // of large and of small regions
  absl::flat_hash_map<const char*, Block*> live_;
  std::vector<Block*> regions_;  // the first block of each, by address
  std::vector<std::unique_ptr<Block>> spare_;
};

}  // namespace sluice

#endif  // SLUICE_CORE_DEVICE_REGION_BLOCKS_H_
