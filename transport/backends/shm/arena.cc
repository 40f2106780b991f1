// SPDX-License-Identifier: Apache-2.0
#include "transport/backends/shm/arena.h"

#include <new>
#include <set>
#include <utility>

namespace sluice::transport {
namespace {

constexpr size_t kKept = 512 << 20;  // empty segments beyond this total are released

}  // namespace

absl::StatusOr<Arena::Block> Arena::Take(size_t bytes, std::weak_ptr<void> user, uint64_t readers) {
  const size_t wanted = RoundedUp(bytes + sizeof(BlockHead), FreeSpace::kGrain);
  if (wanted < bytes) return ResourceExhausted("a content of ", bytes, " bytes");
  Sweep();
  Block block;
  for (auto& [number, segment] : segments_) {
    if (TakeFrom(number, segment, wanted, user, readers, &block)) return block;
  }
  SLUICE_RETURN_IF_ERROR(Grow(wanted));
  TakeFrom(last_segment_, segments_[last_segment_], wanted, user, readers, &block);
  return block;
}

bool Arena::TakeFrom(uint64_t number, Segment& segment, size_t bytes,
                     const std::weak_ptr<void>& user, uint64_t readers, Block* block) {
  const std::optional<size_t> offset = segment.free.Take(bytes);
  if (!offset.has_value()) return false;
  auto* head = new (segment.memory->data() + *offset) BlockHead;
  head->readers.store(readers, std::memory_order_relaxed);
  used_.push_back({number, *offset, bytes, head, user});
  *block = {{number, *offset + sizeof(BlockHead)},
            segment.memory->data() + *offset + sizeof(BlockHead),
            segment.memory};
  return true;
}

absl::Status Arena::Grow(size_t bytes) {
  const size_t size = NextSegmentBytes(bytes, held_, limit_);
  if (size == 0)
    return ResourceExhausted("shared memory for one peer is limited to ", limit_, " bytes, ", held_,
                             " are in use");
  SLUICE_ASSIGN(std::shared_ptr<SharedMemory> memory, SharedMemory::Create(size));
  SLUICE_RETURN_IF_ERROR(share_(last_segment_ + 1, *memory));
  segments_[++last_segment_] = {std::move(memory), FreeSpace(size)};
  held_ += size;
  return absl::OkStatus();
}

void Arena::Sweep() {
  std::erase_if(used_, [this](const Used& used) {
    if (used.head->readers.load(std::memory_order_acquire) != 0 || !used.user.expired())
      return false;
    Return(used);
    return true;
  });
  std::atomic_thread_fence(std::memory_order_acquire);  // expired() is relaxed
}

void Arena::Return(const Used& used) {
  auto it = segments_.find(used.segment);
  it->second.free.Give(used.offset, used.bytes);
  if (!it->second.free.all_free() || held_ <= kKept) return;
  Drop(used.segment);
}

void Arena::Abandon(int reader) {
  std::set<uint64_t> segments;
  for (const Used& used : used_) {
    const uint64_t readers = used.head->readers.load(std::memory_order_acquire);
    if ((readers & BlockHead::Bit(reader)) != 0) segments.insert(used.segment);
  }
  std::erase_if(used_, [&](const Used& used) { return segments.contains(used.segment); });
  for (const uint64_t segment : segments) Drop(segment);
}

void Arena::Drop(uint64_t segment) {
  const auto it = segments_.find(segment);
  end_(segment);
  held_ -= it->second.memory->size();
  segments_.erase(it);
}

}  // namespace sluice::transport
