// SPDX-License-Identifier: Apache-2.0
#include "core/device/region_blocks.h"

#include <algorithm>
#include <cstring>
#include <functional>

namespace sluice {

struct RegionBlocks::Block {
  char* data = nullptr;
  size_t bytes = 0;  // a multiple of kGrain
  uint64_t stamp = 0;
  size_t region_bytes = 0;  // of a region's first block, else 0
  Block* before = nullptr;
  Block* after = nullptr;
  bool free = true;
  bool small = false;  // in a region for small requests
  Live live = {};
};

namespace {

// Limit of blocks that are checked for a low stamp, so that a request has a bounded cost.
constexpr int kMostTries = 256;

// All addresses belong to one process: std::less orders those of different regions too.
bool Before(const char* a, const char* b) { return std::less<>()(a, b); }

}  // namespace

RegionBlocks::RegionBlocks() = default;

RegionBlocks::~RegionBlocks() {
  for (Block* block : regions_) {
    while (block != nullptr) {
      std::unique_ptr<Block> owned(block);
      block = block->after;
    }
  }
}

bool RegionBlocks::BySize::operator()(const Block* a, const Block* b) const {
  return a->bytes != b->bytes ? a->bytes < b->bytes : Before(a->data, b->data);
}

RegionBlocks::Block* RegionBlocks::NewBlock() {
  if (spare_.empty()) return new Block;
  Block* block = spare_.back().release();
  spare_.pop_back();
  *block = Block();
  return block;
}

void RegionBlocks::Recycle(Block* block) { spare_.emplace_back(block); }

void RegionBlocks::AddRegion(char* base, size_t bytes, bool small) {
  Block* block = NewBlock();
  block->data = base;
  block->bytes = block->region_bytes = bytes;
  block->small = small;
  const auto place =
      std::lower_bound(regions_.begin(), regions_.end(), base,
                       [](const Block* b, const char* a) { return Before(b->data, a); });
  regions_.insert(place, block);
  region_bytes_ += bytes;
  free_[small].insert(block);
}

RegionBlocks::Block* RegionBlocks::Find(size_t bytes, uint64_t stamp, bool small) {
  Block least;
  least.bytes = bytes;
  FreeBlocks& blocks = free_[small];
  int tries = 0;
  for (auto i = blocks.lower_bound(&least); i != blocks.end() && tries < kMostTries; ++i, ++tries) {
    if ((*i)->stamp <= stamp) return *i;
  }
  return nullptr;
}

char* RegionBlocks::Take(size_t bytes, uint64_t stamp, bool any_region, const char* label,
                         size_t label_bytes) {
  if (bytes > ~size_t{0} - kGrain) return nullptr;
  const size_t size = std::max(kGrain, (bytes + kGrain - 1) / kGrain * kGrain);
  const bool small = bytes <= kSmall;
  Block* block = Find(size, stamp, small);
  if (block == nullptr && any_region) block = Find(size, stamp, !small);
  if (block == nullptr) return nullptr;
  free_[block->small].erase(block);
  if (block->bytes > size) {
    Block* rest = NewBlock();
    rest->data = block->data + size;
    rest->bytes = block->bytes - size;
    rest->stamp = block->stamp;
    rest->small = block->small;
    rest->before = block;
    rest->after = block->after;
    if (rest->after != nullptr) rest->after->before = rest;
    block->after = rest;
    block->bytes = size;
    free_[rest->small].insert(rest);
  }
  block->free = false;
  block->live.bytes = bytes;
  const size_t n = std::min(label_bytes, kLabel - 1);
  if (n > 0) std::memcpy(block->live.label, label, n);
  block->live.label[n] = 0;
  live_[block->data] = block;
  return block->data;
}

// `second` follows `first`; both are free and in no set.
RegionBlocks::Block* RegionBlocks::Join(Block* first, Block* second) {
  first->bytes += second->bytes;
  first->stamp = std::max(first->stamp, second->stamp);
  first->after = second->after;
  if (first->after != nullptr) first->after->before = first;
  Recycle(second);
  return first;
}

size_t RegionBlocks::Give(char* data, uint64_t stamp) {
  const auto found = live_.find(data);
  Block* block = found->second;
  live_.erase(found);
  const size_t bytes = block->live.bytes;
  block->free = true;
  block->stamp = stamp;
  if (Block* after = block->after; after != nullptr && after->free) {
    free_[after->small].erase(after);
    block = Join(block, after);
  }
  if (Block* before = block->before; before != nullptr && before->free) {
    free_[before->small].erase(before);
    block = Join(before, block);
  }
  free_[block->small].insert(block);
  return bytes;
}

std::vector<RegionBlocks::Region> RegionBlocks::RemoveUnused() {
  std::vector<Region> removed;
  std::erase_if(regions_, [&](Block* block) {
    if (!block->free || block->bytes != block->region_bytes) return false;
    removed.push_back({block->data, block->bytes});
    region_bytes_ -= block->bytes;
    free_[block->small].erase(block);
    Recycle(block);
    return true;
  });
  return removed;
}

std::vector<RegionBlocks::Live> RegionBlocks::Largest(size_t count) const {
  std::vector<const Block*> blocks;
  for (const auto& [data, block] : live_) blocks.push_back(block);
  count = std::min(count, blocks.size());
  std::partial_sort(blocks.begin(), blocks.begin() + static_cast<std::ptrdiff_t>(count),
                    blocks.end(), [](const Block* a, const Block* b) {
                      return a->live.bytes != b->live.bytes ? a->live.bytes > b->live.bytes
                                                            : Before(a->data, b->data);
                    });
  std::vector<Live> largest;
  for (size_t i = 0; i < count; ++i) largest.push_back(blocks[i]->live);
  return largest;
}

bool RegionBlocks::Owns(const void* address) const {
  const char* const at = static_cast<const char*>(address);
  auto next = std::upper_bound(regions_.begin(), regions_.end(), at,
                               [](const char* a, const Block* b) { return Before(a, b->data); });
  if (next == regions_.begin()) return false;
  const Block* const region = *--next;
  return at < region->data + region->region_bytes;
}

}  // namespace sluice
