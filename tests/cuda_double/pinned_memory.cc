// SPDX-License-Identifier: Apache-2.0
#include "tests/cuda_double/pinned_memory.h"

#include <cstdlib>
#include <cstring>
#include <iterator>

#include "tests/cuda_double/control.h"

namespace sluice::cuda_double {

void* PinnedMemory::Allocate(size_t bytes) {
  void* memory = nullptr;
  if (posix_memalign(&memory, 4096, bytes ? bytes : 1) != 0) return nullptr;
  std::memset(memory, kPoison, bytes);
  std::lock_guard lock(mu_);
  ranges_[static_cast<unsigned char*>(memory)] = {bytes, true};
  return memory;
}

bool PinnedMemory::Free(void* pointer) {
  std::lock_guard lock(mu_);
  const auto at = ranges_.find(static_cast<unsigned char*>(pointer));
  if (at == ranges_.end() || !at->second.allocated) return false;
  std::memset(pointer, kPoison, at->second.bytes);
  ranges_.erase(at);
  std::free(pointer);
  return true;
}

bool PinnedMemory::Register(void* pointer, size_t bytes) {
  const auto* start = static_cast<unsigned char*>(pointer);
  std::lock_guard lock(mu_);
  const auto next = ranges_.lower_bound(start);
  if (next != ranges_.end() && next->first < start + bytes) return false;
  if (next != ranges_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second.bytes > start) return false;
  }
  ranges_[start] = {bytes, false};
  return true;
}

bool PinnedMemory::Unregister(void* pointer) {
  std::lock_guard lock(mu_);
  const auto at = ranges_.find(static_cast<unsigned char*>(pointer));
  if (at == ranges_.end() || at->second.allocated) return false;
  ranges_.erase(at);
  return true;
}

bool PinnedMemory::Holds(const void* pointer, size_t bytes) const {
  const auto* start = static_cast<const unsigned char*>(pointer);
  std::lock_guard lock(mu_);
  auto at = ranges_.upper_bound(start);
  if (at == ranges_.begin()) return false;
  --at;
  return start + bytes <= at->first + at->second.bytes;
}

void PinnedMemory::Clear() {
  std::lock_guard lock(mu_);
  for (const auto& [start, range] : ranges_)
    if (range.allocated) std::free(const_cast<unsigned char*>(start));
  ranges_.clear();
}

int64_t PinnedMemory::bytes() const {
  std::lock_guard lock(mu_);
  int64_t sum = 0;
  for (const auto& [start, range] : ranges_) sum += static_cast<int64_t>(range.bytes);
  return sum;
}

int64_t PinnedMemory::ranges() const {
  std::lock_guard lock(mu_);
  return static_cast<int64_t>(ranges_.size());
}

}  // namespace sluice::cuda_double
