// SPDX-License-Identifier: Apache-2.0
// operator new and delete of sluice-server: they count what they allocate towards the memory limit,
// and obey it where a caller expects that (core/tensor/memory_budget.h).

#include <malloc.h>

#include <cstdint>
#include <cstdlib>
#include <new>

#include "core/tensor/memory_budget.h"
#include "core/tensor/resident_memory.h"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {

// Each thread adds up its bytes, so that few of its calls write the common counters.
constexpr int64_t kBatch = 64 << 10;
thread_local constinit int64_t uncounted = 0;

bool BeyondLimit(size_t bytes) {
  return sluice::MemoryScope::OfThread() && !sluice::MemoryFits(bytes);
}

void Count(int64_t bytes) {
  uncounted += bytes;
  if (uncounted > -kBatch && uncounted < kBatch) return;
  sluice::AddMemory(sluice::MemoryUse::kHeap, uncounted);
  uncounted = 0;
}

void* Allocate(size_t bytes, size_t alignment) {
  // Small requests are looked at when the thread's bytes are counted next.
  if (bytes + static_cast<size_t>(uncounted > 0 ? uncounted : 0) >= kBatch && BeyondLimit(bytes))
    return nullptr;
  void* const block =
      alignment == 0
          ? std::malloc(bytes == 0 ? 1 : bytes)
          : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (block != nullptr) Count(static_cast<int64_t>(malloc_usable_size(block)));
  return block;
}

void* AllocateOrThrow(size_t bytes, size_t alignment) {
  void* const block = Allocate(bytes, alignment);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

void Free(void* block) {
  if (block == nullptr) return;
  Count(-static_cast<int64_t>(malloc_usable_size(block)));
  std::free(block);
}

}  // namespace

void* operator new(size_t bytes) { return AllocateOrThrow(bytes, 0); }
void* operator new[](size_t bytes) { return AllocateOrThrow(bytes, 0); }
void* operator new(size_t bytes, const std::nothrow_t&) noexcept { return Allocate(bytes, 0); }
void* operator new[](size_t bytes, const std::nothrow_t&) noexcept { return Allocate(bytes, 0); }
void* operator new(size_t bytes, std::align_val_t alignment) {
  return AllocateOrThrow(bytes, static_cast<size_t>(alignment));
}
void* operator new[](size_t bytes, std::align_val_t alignment) {
  return AllocateOrThrow(bytes, static_cast<size_t>(alignment));
}
void* operator new(size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return Allocate(bytes, static_cast<size_t>(alignment));
}
void* operator new[](size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return Allocate(bytes, static_cast<size_t>(alignment));
}
void operator delete(void* block) noexcept { Free(block); }
void operator delete[](void* block) noexcept { Free(block); }
void operator delete(void* block, size_t) noexcept { Free(block); }
void operator delete[](void* block, size_t) noexcept { Free(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { Free(block); }
void operator delete[](void* block, const std::nothrow_t&) noexcept { Free(block); }
void operator delete(void* block, std::align_val_t) noexcept { Free(block); }
void operator delete[](void* block, std::align_val_t) noexcept { Free(block); }
void operator delete(void* block, size_t, std::align_val_t) noexcept { Free(block); }
void operator delete[](void* block, size_t, std::align_val_t) noexcept { Free(block); }
void operator delete(void* block, std::align_val_t, const std::nothrow_t&) noexcept { Free(block); }
void operator delete[](void* block, std::align_val_t, const std::nothrow_t&) noexcept {
  Free(block);
}

#endif
