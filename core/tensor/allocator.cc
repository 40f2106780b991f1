// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/allocator.h"

#include <malloc.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "core/tensor/allocation_label.h"
#include "core/tensor/memory_budget.h"
#include "core/tensor/slabs.h"
#include "core/tensor/unused_memory.h"

// Three levels: a cache per thread (no lock, no atomic read-modify-write), a shared pool of batches
// per size class (for tensors allocated by one thread and freed by another), the system. Blocks
// over 1 MiB skip the first two. Their pages stay mapped in one small list, because page faults
// cost more than writing the bytes.
//
// What comes from the system counts towards the process's memory limit (memory_budget.h).
//
// Under AddressSanitizer every block is its own malloc, so that a use after free is found.

namespace sluice {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kCaching = false;
#else
constexpr bool kCaching = true;
#endif

constexpr size_t kLargest = size_t{1} << 20;       // largest cached small block
constexpr size_t kThreadLimit = size_t{16} << 20;  // bytes that one thread keeps
constexpr size_t kClassLimit =
    size_t{2} << 20;  // bytes of one class in one thread, and in the shared pool x 4
// Blocks of one class in one thread. If a thread frees blocks that others allocate, small blocks
// must reach the others long before kClassLimit.
constexpr uint32_t kMostBlocks = 2048;
constexpr size_t kLargeLimit = size_t{512} << 20;  // bytes of kept large blocks
constexpr size_t kHugePage = size_t{2} << 20;
constexpr size_t kMaxRequest = size_t{1} << 46;
constexpr size_t kShown = 10;  // blocks in the text of an error

// Size classes: multiples of 64 up to 512, then four per power of two. Class 0 is 64 bytes.
constexpr int ClassOf(size_t bytes) {
  if (bytes <= 512) return bytes == 0 ? 0 : static_cast<int>((bytes + 63) / 64 - 1);
  const int log = std::bit_width(bytes - 1) - 1;  // 2^log < bytes <= 2^(log+1)
  return 8 + (log - 9) * 4 + static_cast<int>((bytes - 1) >> (log - 2)) - 4;
}
constexpr size_t SizeOfClass(int c) {
  if (c < 8) return static_cast<size_t>(c + 1) * 64;
  const int log = 9 + (c - 8) / 4;
  return (size_t{1} << log) + (static_cast<size_t>((c - 8) % 4 + 1) << (log - 2));
}
constexpr int kClasses = ClassOf(kLargest) + 1;
static_assert(SizeOfClass(ClassOf(513)) == 640 && SizeOfClass(kClasses - 1) == kLargest);

// Large blocks: eight sizes per power of two, so that a kept block serves the next tensor of nearly
// the same size.
size_t LargeSize(size_t bytes) {
  const size_t step = size_t{1} << (std::bit_width(bytes - 1) - 4);
  return (bytes + step - 1) & ~(step - 1);
}

struct Link {
  Link* next;
};

struct FreeList {
  Link* head = nullptr;
  uint32_t count = 0;

  void Push(void* block) {
    head = new (block) Link{head};
    ++count;
  }
  void* Pop() {
    Link* block = head;
    head = block->next;
    --count;
    return block;
  }
};

// Written by its own thread only, read by any.
class Counter {
 public:
  void Add(int64_t n) {
    value_.store(value_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
  }
  int64_t get() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<int64_t> value_{0};
};

struct ThreadCache {
  std::array<FreeList, kClasses> lists;
  size_t bytes = 0;
  Counter live;
  Counter allocations;
};

class CachingAllocator final : public Allocator {
 public:
  const std::string& name() const override { return name_; }
  void* Allocate(size_t bytes) override;
  void Free(void* block, size_t bytes) override;
  AllocatorStats stats() const override;
  std::string Shortage(int64_t elements, size_t element_bytes) const override;

  // If there are as many bytes of large blocks that are kept for later, they go to the system.
  void ReleaseKept(size_t worth = 1);
  void Adopt(ThreadCache* cache);
  void Retire(ThreadCache* cache);

 private:
  struct Shared {
    absl::Mutex mu;
    FreeList list ABSL_GUARDED_BY(mu);
  };
  struct Large {
    void* block;
    size_t size;
  };
  struct Holder {
    size_t bytes;
    std::string node;
  };

  void* Refill(ThreadCache* cache, int c);
  void Spill(ThreadCache* cache, int c, uint32_t keep);
  void* AllocateLarge(size_t bytes);
  void FreeLarge(void* block, size_t bytes);
  void* FromSystem(size_t bytes);
  void ToSystem(void* block, size_t bytes);
  void Count(ThreadCache* cache, int64_t bytes);

  const std::string name_ = "cpu";
  std::array<Shared, kClasses> shared_;
  std::atomic<int64_t> peak_held_{0};

  mutable absl::Mutex large_mu_;
  std::vector<Large> large_ ABSL_GUARDED_BY(large_mu_);  // oldest first
  size_t large_bytes_ ABSL_GUARDED_BY(large_mu_) = 0;
  absl::flat_hash_map<const void*, Holder> holders_ ABSL_GUARDED_BY(large_mu_);

  mutable absl::Mutex threads_mu_;
  std::vector<ThreadCache*> threads_ ABSL_GUARDED_BY(threads_mu_);
  // Blocks of ended threads, and of code that runs after a thread's cache is destroyed.
  std::atomic<int64_t> retired_live_{0}, retired_allocations_{0};
};

CachingAllocator& TheAllocator() {
  static CachingAllocator& allocator = *new CachingAllocator;
  return allocator;
}

// A thread's cache is made at its first allocation and passed on at its end; later destructors see
// kGone.
enum class CacheState : uint8_t { kNone, kLive, kGone };
struct CacheOwner {
  ThreadCache cache;
  ~CacheOwner();
};
thread_local CacheState cache_state = CacheState::kNone;
thread_local ThreadCache* thread_cache = nullptr;

CacheOwner::~CacheOwner() {
  cache_state = CacheState::kGone;
  thread_cache = nullptr;
  TheAllocator().Retire(&cache);
}

[[gnu::noinline]] ThreadCache* MakeThreadCache() {
  if (cache_state == CacheState::kGone) return nullptr;
  thread_local CacheOwner owner;
  cache_state = CacheState::kLive;
  thread_cache = &owner.cache;
  TheAllocator().Adopt(thread_cache);
  return thread_cache;
}

inline ThreadCache* CacheOfThread() {
  return thread_cache != nullptr ? thread_cache : MakeThreadCache();
}

void CachingAllocator::Count(ThreadCache* cache, int64_t bytes) {
  if (cache != nullptr) {
    cache->live.Add(bytes);
    if (bytes >= 0) cache->allocations.Add(1);
  } else {
    retired_live_.fetch_add(bytes, std::memory_order_relaxed);
    if (bytes >= 0) retired_allocations_.fetch_add(1, std::memory_order_relaxed);
  }
}

void* CachingAllocator::Allocate(size_t bytes) {
  if (bytes > kMaxRequest) return nullptr;
  ThreadCache* cache = CacheOfThread();
  void* block = nullptr;
  if (bytes > kLargest) {
    block = AllocateLarge(bytes);
  } else if (!kCaching) {
    block = FromSystem(bytes);
  } else {
    const int c = ClassOf(bytes);
    if (cache != nullptr && cache->lists[c].head != nullptr) {
      block = cache->lists[c].Pop();
      cache->bytes -= SizeOfClass(c);
    } else {
      block = Refill(cache, c);
    }
  }
  if (block != nullptr) Count(cache, static_cast<int64_t>(bytes));
  return block;
}

void CachingAllocator::Free(void* block, size_t bytes) {
  if (block == nullptr) return;
  ThreadCache* cache = CacheOfThread();
  Count(cache, -static_cast<int64_t>(bytes));
  if (bytes > kLargest) return FreeLarge(block, bytes);
  if (!kCaching) return ToSystem(block, bytes);
  const int c = ClassOf(bytes);
  if (cache == nullptr) {
    absl::MutexLock lock(&shared_[c].mu);
    shared_[c].list.Push(block);
    return;
  }
  const size_t size = SizeOfClass(c);
  FreeList& list = cache->lists[c];
  list.Push(block);
  cache->bytes += size;
  if (list.count > kMostBlocks || list.count * size > kClassLimit) {
    Spill(cache, c, list.count / 2);
  } else if (cache->bytes > kThreadLimit) {
    for (int i = kClasses - 1; i >= 0; --i) Spill(cache, i, cache->lists[i].count / 2);
  }
}

// Takes a batch from the shared pool (up to 16 blocks, or 64 KiB), else one block from the system.
void* CachingAllocator::Refill(ThreadCache* cache, int c) {
  const size_t size = SizeOfClass(c);
  Shared& shared = shared_[c];
  {
    absl::MutexLock lock(&shared.mu);
    if (shared.list.head != nullptr) {
      void* block = shared.list.Pop();
      const size_t batch = cache == nullptr ? 0 : std::min<size_t>(15, (size_t{64} << 10) / size);
      for (size_t i = 0; i < batch && shared.list.head != nullptr; ++i) {
        cache->lists[c].Push(shared.list.Pop());
        cache->bytes += size;
      }
      return block;
    }
  }
  return FromSystem(size);
}

// Moves all but `keep` blocks of a class to the shared pool, and those that do not fit to the
// system.
void CachingAllocator::Spill(ThreadCache* cache, int c, uint32_t keep) {
  const size_t size = SizeOfClass(c);
  FreeList& list = cache->lists[c];
  FreeList surplus;
  {
    absl::MutexLock lock(&shared_[c].mu);
    FreeList& shared = shared_[c].list;
    while (list.count > keep) {
      void* block = list.Pop();
      cache->bytes -= size;
      (shared.count * size < 4 * kClassLimit ? shared : surplus).Push(block);
    }
  }
  while (surplus.head != nullptr) ToSystem(surplus.Pop(), size);
}

void* CachingAllocator::AllocateLarge(size_t bytes) {
  const size_t size = kCaching ? LargeSize(bytes) : bytes;
  const absl::string_view node = AllocationLabel::OfThread();
  {
    absl::MutexLock lock(&large_mu_);
    for (size_t i = large_.size(); i-- > 0;) {
      if (large_[i].size != size) continue;
      void* block = large_[i].block;
      large_.erase(large_.begin() + static_cast<std::ptrdiff_t>(i));
      large_bytes_ -= size;
      holders_.insert_or_assign(block, Holder{bytes, std::string(node)});
      return block;
    }
  }
  void* const block = FromSystem(size);
  if (block == nullptr) return nullptr;
  absl::MutexLock lock(&large_mu_);
  holders_.insert_or_assign(block, Holder{bytes, std::string(node)});
  return block;
}

void CachingAllocator::FreeLarge(void* block, size_t bytes) {
  const size_t size = kCaching ? LargeSize(bytes) : bytes;
  std::vector<Large> evicted;
  {
    absl::MutexLock lock(&large_mu_);
    holders_.erase(block);
    if (!kCaching || size > kLargeLimit / 2) {
      evicted.push_back({block, size});
    } else {
      large_.push_back({block, size});
      large_bytes_ += size;
      size_t n = 0;
      while (large_bytes_ > kLargeLimit) large_bytes_ -= large_[n++].size;
      evicted.assign(large_.begin(), large_.begin() + static_cast<std::ptrdiff_t>(n));
      large_.erase(large_.begin(), large_.begin() + static_cast<std::ptrdiff_t>(n));
    }
  }
  for (const Large& large : evicted) ToSystem(large.block, large.size);
}

void CachingAllocator::ReleaseKept(size_t worth) {
  std::vector<Large> kept;
  {
    absl::MutexLock lock(&large_mu_);
    if (large_bytes_ < worth) return;
    kept.swap(large_);
    large_bytes_ = 0;
  }
  for (const Large& large : kept) ToSystem(large.block, large.size);
}

void* CachingAllocator::FromSystem(size_t bytes) {
  if (!TakeMemory(MemoryUse::kTensors, bytes)) {
    ReleaseKept();
    if (!TakeMemory(MemoryUse::kTensors, bytes)) {
      // Small blocks are not only tensors: outside of a MemoryScope nobody expects a failure.
      if (bytes > kLargest || MemoryScope::OfThread()) return nullptr;
      AddMemory(MemoryUse::kTensors, static_cast<int64_t>(bytes));
    }
  }
  if (bytes > kLargest) ReturnFreedHeap();
  void* block = nullptr;
  if (kCaching && bytes > kLargest) {
    block = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) block = nullptr;
    if (block != nullptr && bytes >= 2 * kHugePage) madvise(block, bytes, MADV_HUGEPAGE);
    if (block != nullptr) BeginSlab({static_cast<char*>(block), bytes});
  } else {
    block =
        std::aligned_alloc(kAlignment, std::max<size_t>(kAlignment, (bytes + 63) & ~size_t{63}));
  }
  if (block == nullptr) {
    GiveMemory(MemoryUse::kTensors, bytes);
    return nullptr;
  }
  const int64_t held = MemoryInUse(MemoryUse::kTensors);
  int64_t peak = peak_held_.load(std::memory_order_relaxed);
  while (held > peak && !peak_held_.compare_exchange_weak(peak, held, std::memory_order_relaxed)) {
  }
  return block;
}

void CachingAllocator::ToSystem(void* block, size_t bytes) {
  GiveMemory(MemoryUse::kTensors, bytes);
  if (kCaching && bytes > kLargest) {
    EndSlab({static_cast<char*>(block), bytes});
    munmap(block, bytes);
  } else {
    std::free(block);
  }
}

void CachingAllocator::Adopt(ThreadCache* cache) {
  absl::MutexLock lock(&threads_mu_);
  threads_.push_back(cache);
}

void CachingAllocator::Retire(ThreadCache* cache) {
  for (int c = 0; c < kClasses; ++c) Spill(cache, c, 0);
  absl::MutexLock lock(&threads_mu_);
  threads_.erase(std::find(threads_.begin(), threads_.end(), cache));
  retired_live_.fetch_add(cache->live.get(), std::memory_order_relaxed);
  retired_allocations_.fetch_add(cache->allocations.get(), std::memory_order_relaxed);
}

AllocatorStats CachingAllocator::stats() const {
  absl::MutexLock lock(&threads_mu_);
  AllocatorStats stats{retired_live_.load(std::memory_order_relaxed),
                       peak_held_.load(std::memory_order_relaxed),
                       retired_allocations_.load(std::memory_order_relaxed)};
  for (const ThreadCache* cache : threads_) {
    stats.live_bytes += cache->live.get();
    stats.allocations += cache->allocations.get();
  }
  return stats;
}

std::string CachingAllocator::Shortage(int64_t elements, size_t element_bytes) const {
  std::string text =
      absl::StrCat(": ", elements, " x ", element_bytes, " bytes requested, ", DescribeMemory());
  std::vector<Holder> largest;
  {
    absl::MutexLock lock(&large_mu_);
    for (const auto& [block, holder] : holders_) largest.push_back(holder);
  }
  const size_t shown = std::min(largest.size(), kShown);
  std::partial_sort(largest.begin(), largest.begin() + static_cast<std::ptrdiff_t>(shown),
                    largest.end(),
                    [](const Holder& a, const Holder& b) { return a.bytes > b.bytes; });
  for (size_t i = 0; i < shown; ++i) {
    absl::StrAppend(&text, i == 0 ? "; largest: " : ", ", largest[i].bytes, " bytes of ",
                    largest[i].node.empty() ? "(no node)" : largest[i].node);
  }
  return text;
}

}  // namespace

Allocator& CpuAllocator() { return TheAllocator(); }

void ReturnUnusedMemory() {
  constexpr size_t kMuch = size_t{32} << 20;
  // Trimmed pages still count as free in malloc's numbers.
  static std::atomic<size_t> trimmed{0};
  TheAllocator().ReleaseKept(kMuch);
  const size_t unused = mallinfo2().fordblks, before = trimmed.load(std::memory_order_relaxed);
  if (unused < before) trimmed.store(unused, std::memory_order_relaxed);
  if (unused < before + kMuch) return;
  malloc_trim(0);
  trimmed.store(unused, std::memory_order_relaxed);
}

}  // namespace sluice
