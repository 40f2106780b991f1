// SPDX-License-Identifier: Apache-2.0
#include "transport/protocol/free_space.h"

#include <algorithm>
#include <iterator>

namespace sluice::transport {

std::optional<size_t> FreeSpace::Take(size_t bytes) {
  for (auto it = free_.begin(); it != free_.end(); ++it) {
    if (it->second < bytes) continue;
    const auto [offset, size] = *it;
    free_.erase(it);
    if (size > bytes) free_[offset + bytes] = size - bytes;
    return offset;
  }
  return std::nullopt;
}

void FreeSpace::Give(size_t offset, size_t bytes) {
  auto at = free_.emplace(offset, bytes).first;
  if (auto next = std::next(at); next != free_.end() && at->first + at->second == next->first) {
    at->second += next->second;
    free_.erase(next);
  }
  if (at == free_.begin()) return;
  if (auto before = std::prev(at); before->first + before->second == at->first) {
    before->second += at->second;
    free_.erase(at);
  }
}

size_t NextSegmentBytes(size_t bytes, size_t held, size_t limit) {
  constexpr size_t kFirst = 2 << 20;     // segments grow as more is needed ...
  constexpr size_t kLargest = 64 << 20;  // ... up to this, or to the size of one content
  const size_t left = limit - std::min(limit, held);
  size_t size = std::max(std::clamp(held, kFirst, kLargest), RoundedUp(bytes, kFirst));
  if (size > left) size = RoundedUp(bytes, FreeSpace::kGrain);
  return size > left ? 0 : size;
}

}  // namespace sluice::transport
