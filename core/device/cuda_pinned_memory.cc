// SPDX-License-Identifier: Apache-2.0
#include "core/device/cuda_pinned_memory.h"

#include <cuda_runtime_api.h>

#include <algorithm>

namespace sluice::cuda {
namespace {

constexpr size_t kSmallRegion = size_t{4} << 20;
constexpr size_t kLargestRegion = size_t{256} << 20;
constexpr size_t kPage = 4096;

size_t RoundUp(size_t bytes, size_t grain) { return (bytes + grain - 1) / grain * grain; }

}  // namespace

PinnedMemory::~PinnedMemory() {
  (void)cudaSetDevice(ordinal_);
  absl::MutexLock lock(&mu_);
  for (const RegionBlocks::Region& region : blocks_.RemoveUnused()) (void)cudaFreeHost(region.base);
}

void* PinnedMemory::Allocate(size_t bytes) {
  if (bytes >= kLeast) {
    if (void* block = AllocatePinned(bytes); block != nullptr) return block;
  }
  void* const block = CpuAllocator().Allocate(bytes);
  if (block != nullptr) Ref();
  return block;
}

void* PinnedMemory::AllocatePinned(size_t bytes) {
  if (bytes > limit_) return nullptr;
  absl::MutexLock lock(&mu_);
  void* block = Take(bytes);
  if (block == nullptr && Grow(bytes)) block = Take(bytes);
  if (block == nullptr) return nullptr;
  stats_.live_bytes += static_cast<int64_t>(bytes);
  stats_.largest = std::max(stats_.largest, static_cast<int64_t>(bytes));
  ++stats_.allocations;
  Ref();
  return block;
}

void PinnedMemory::Free(void* block, size_t bytes) {
  if (block == nullptr) return;
  bool pinned;
  {
    absl::MutexLock lock(&mu_);
    pinned = blocks_.Owns(block);
    if (pinned) {
      stats_.live_bytes -= static_cast<int64_t>(bytes);
      blocks_.Give(static_cast<char*>(block), 0);
    }
  }
  if (!pinned) CpuAllocator().Free(block, bytes);
  Unref();
}

void* PinnedMemory::Take(size_t bytes) {
  return blocks_.Take(bytes, RegionBlocks::kAnyStamp, false, nullptr, 0);
}

bool PinnedMemory::Grow(size_t bytes) {
  const bool small = bytes <= RegionBlocks::kSmall;
  const size_t enough = RoundUp(bytes, kPage);
  size_t size = small ? kSmallRegion : std::max(enough, next_region_);
  size = std::min(size, left() / kPage * kPage);
  if (size < enough) return false;
  void* base = nullptr;
  // Any call that allocates makes a context on the thread's GPU, which is the first by default.
  if (cudaSetDevice(ordinal_) != cudaSuccess ||
      cudaHostAlloc(&base, size, cudaHostAllocPortable) != cudaSuccess) {
    (void)cudaGetLastError();  // the caller has an alternative
    return false;
  }
  blocks_.AddRegion(static_cast<char*>(base), size, small);
  stats_.peak_bytes = static_cast<int64_t>(blocks_.region_bytes());
  if (!small) next_region_ = std::min(kLargestRegion, 2 * next_region_);
  return true;
}

size_t PinnedMemory::left() const {
  return limit_ - std::min(limit_, blocks_.region_bytes() + registered_bytes_);
}

std::shared_ptr<void> PinnedMemory::Register(void* memory, size_t bytes) {
  {
    absl::MutexLock lock(&mu_);
    if (bytes == 0 || bytes > left()) return nullptr;
    registered_bytes_ += bytes;
  }
  // Without the lock: the system takes time to pin the pages.
  const bool pinned = cudaSetDevice(ordinal_) == cudaSuccess &&
                      cudaHostRegister(memory, bytes, cudaHostRegisterPortable) == cudaSuccess;
  absl::MutexLock lock(&mu_);
  if (!pinned) {
    (void)cudaGetLastError();  // the memory is good for copies in pieces
    registered_bytes_ -= bytes;
    return nullptr;
  }
  registered_[static_cast<const char*>(memory)] = bytes;
  return std::shared_ptr<void>(
      memory, [self = RefPtr<PinnedMemory>(this)](void* address) { self->Unregister(address); });
}

void PinnedMemory::Unregister(void* memory) {
  {
    absl::MutexLock lock(&mu_);
    const auto found = registered_.find(static_cast<const char*>(memory));
    registered_bytes_ -= found->second;
    registered_.erase(found);
  }
  (void)cudaSetDevice(ordinal_);
  (void)cudaHostUnregister(memory);
}

bool PinnedMemory::IsPinned(const void* address) const {
  absl::MutexLock lock(&mu_);
  if (blocks_.Owns(address)) return true;
  const auto* const byte = static_cast<const char*>(address);
  auto next = registered_.upper_bound(byte);
  if (next == registered_.begin()) return false;
  --next;
  return byte < next->first + next->second;
}

size_t PinnedMemory::pinned_bytes() const {
  absl::MutexLock lock(&mu_);
  return blocks_.region_bytes() + registered_bytes_;
}

AllocatorStats PinnedMemory::stats() const {
  absl::MutexLock lock(&mu_);
  AllocatorStats stats = stats_;
  stats.limit = static_cast<int64_t>(limit_);
  return stats;
}

}  // namespace sluice::cuda
