// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_SHM_ARENA_H_
#define SLUICE_TRANSPORT_BACKENDS_SHM_ARENA_H_

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "transport/backends/shm/shared_memory.h"
#include "transport/protocol/frames.h"
#include "transport/protocol/free_space.h"

namespace sluice::transport {

// The header of each placed content: a bit for each reader. The sender sets it. The reader clears
// it when it has no reference to the content left, without a message: the sender checks it when it
// needs memory.
struct alignas(64) BlockHead {
  std::atomic<uint64_t> readers;

  static uint64_t Bit(int reader) { return uint64_t{1} << reader; }
  static BlockHead* Of(char* content) {
    return reinterpret_cast<BlockHead*>(content - sizeof(BlockHead));
  }
};

// The memory where a sender places contents: segments of shared memory, created on demand and
// reused.
//
// Threads:  one at a time; the owner's mutex.
class Arena {
 public:
  struct Block {
    Extent at;  // of the content, in its segment
    char* data = nullptr;
    std::shared_ptr<SharedMemory> memory;  // keeps it mapped
  };
  // Announces a new segment, or returns an error. `end`: it is not used any more.
  using Share = std::function<absl::Status(uint64_t segment, const SharedMemory& memory)>;
  using End = std::function<void(uint64_t segment)>;

  Arena(size_t limit, Share share, End end)
      : limit_(limit), share_(std::move(share)), end_(std::move(end)) {}

  // The block is reused when `readers` have released it, and those that got it later, and `user`
  // has expired: the sender may still read what it sent. RESOURCE_EXHAUSTED beyond the limit, or if
  // the machine has no more memory.
  absl::StatusOr<Block> Take(size_t bytes, std::weak_ptr<void> user = {}, uint64_t readers = 1);
  // Frees the blocks that nobody uses.
  void Sweep();
  // Gives up the segments with blocks that this reader has not released.
  void Abandon(int reader);
  size_t held() const { return held_; }  // total bytes of all segments

 private:
  struct Segment {
    std::shared_ptr<SharedMemory> memory;
    FreeSpace free;
  };
  struct Used {
    uint64_t segment;
    size_t offset, bytes;
    BlockHead* head;
    std::weak_ptr<void> user;
  };
  bool TakeFrom(uint64_t number, Segment& segment, size_t bytes, const std::weak_ptr<void>& user,
                uint64_t readers, Block* block);
  absl::Status Grow(size_t bytes);
  void Return(const Used& used);
  void Drop(uint64_t segment);

  const size_t limit_;
  const Share share_;
  const End end_;
  absl::flat_hash_map<uint64_t, Segment> segments_;
  std::deque<Used> used_;
  uint64_t last_segment_ = 0;
  size_t held_ = 0;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BACKENDS_SHM_ARENA_H_
