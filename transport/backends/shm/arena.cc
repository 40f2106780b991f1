// SPDX-License-Identifier: Apache-2.0
#include "transport/backends/shm/arena.h"

#include <algorithm>
#include <new>
#include <utility>

namespace sluice::transport {
namespace {

constexpr size_t kGrain = 4096;               // block sizes are multiples of this
constexpr size_t kFirstSegment = 2 << 20;     // segments grow as more is needed ...
constexpr size_t kLargestSegment = 64 << 20;  // ... up to this, or to the size of one content
constexpr size_t kKept = 512 << 20;           // empty segments beyond this total are released

size_t Rounded(size_t bytes, size_t to) { return (bytes + to - 1) / to * to; }

}  // namespace

absl::StatusOr<Arena::Block> Arena::Take(size_t bytes, std::weak_ptr<void> reader) {
  const size_t wanted = Rounded(bytes + sizeof(BlockHead), kGrain);
  if (wanted < bytes) return ResourceExhausted("a content of ", bytes, " bytes");
  Sweep();
  Block block;
  for (auto& [number, segment] : segments_) {
    if (TakeFrom(number, segment, wanted, reader, &block)) return block;
  }
  SLUICE_RETURN_IF_ERROR(Grow(wanted));
  TakeFrom(last_segment_, segments_[last_segment_], wanted, std::move(reader), &block);
  return block;
}

// First fit: recently used memory is in the cache and has low addresses.
bool Arena::TakeFrom(uint64_t number, Segment& segment, size_t bytes, std::weak_ptr<void> reader,
                     Block* block) {
  for (auto it = segment.free.begin(); it != segment.free.end(); ++it) {
    if (it->second < bytes) continue;
    const auto [offset, size] = *it;
    segment.free.erase(it);
    if (size > bytes) segment.free[offset + bytes] = size - bytes;
    auto* head = new (segment.memory->data() + offset) BlockHead;
    head->in_use.store(1, std::memory_order_relaxed);
    used_.push_back({number, offset, bytes, &head->in_use, std::move(reader)});
    *block = {{number, offset + sizeof(BlockHead)},
              segment.memory->data() + offset + sizeof(BlockHead),
              segment.memory};
    return true;
  }
  return false;
}

absl::Status Arena::Grow(size_t bytes) {
  const size_t usual = std::clamp(held_, kFirstSegment, kLargestSegment);
  size_t size = std::max(usual, Rounded(bytes, kFirstSegment));
  if (size > limit_ - std::min(limit_, held_)) size = Rounded(bytes, kGrain);
  if (size > limit_ - std::min(limit_, held_))
    return ResourceExhausted("shared memory for one peer is limited to ", limit_, " bytes, ", held_,
                             " are in use");
  SLUICE_ASSIGN(std::shared_ptr<SharedMemory> memory, SharedMemory::Create(size));
  SLUICE_RETURN_IF_ERROR(share_(last_segment_ + 1, *memory));
  segments_[++last_segment_] = {std::move(memory), {{0, size}}};
  held_ += size;
  return absl::OkStatus();
}

void Arena::Sweep() {
  std::erase_if(used_, [this](const Used& used) {
    if (used.in_use->load(std::memory_order_acquire) != 0 || !used.reader.expired()) return false;
    Return(used);
    return true;
  });
  std::atomic_thread_fence(std::memory_order_acquire);  // expired() is relaxed
}

void Arena::Return(const Used& used) {
  auto it = segments_.find(used.segment);
  auto& free = it->second.free;
  auto at = free.emplace(used.offset, used.bytes).first;
  if (auto next = std::next(at); next != free.end() && at->first + at->second == next->first) {
    at->second += next->second;
    free.erase(next);
  }
  if (at != free.begin()) {
    if (auto before = std::prev(at); before->first + before->second == at->first) {
      before->second += at->second;
      free.erase(at);
      at = before;
    }
  }
  const size_t size = it->second.memory->size();
  if (at->second < size || held_ <= kKept) return;
  end_(used.segment);
  held_ -= size;
  segments_.erase(it);
}

}  // namespace sluice::transport
