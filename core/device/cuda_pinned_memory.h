// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_DEVICE_CUDA_PINNED_MEMORY_H_
#define SLUICE_CORE_DEVICE_CUDA_PINNED_MEMORY_H_

#include <map>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "core/device/region_blocks.h"
#include "core/status.h"
#include "core/tensor/allocator.h"
#include "core/tensor/ref.h"

namespace sluice::cuda {

// PinnedMemory is host memory whose pages stay in place, so that a GPU copies from and into it
// without the processor. Beyond its limit, and for very small requests, it returns ordinary memory.
//
// Owner:    the GPUs of a task, and each live block.
// Threads:  any.
class PinnedMemory final : public Allocator, public RefCounted {
 public:
  static constexpr size_t kLeast = 4096;  // the smallest request that Allocate pins

  // `ordinal`: a GPU that this process uses anyway; the memory serves all GPUs.
  PinnedMemory(int ordinal, size_t limit) : ordinal_(ordinal), limit_(limit) {}
  ~PinnedMemory() override;

  const std::string& name() const override { return name_; }
  void* Allocate(size_t bytes) override;
  void Free(void* block, size_t bytes) override;
  AllocatorStats stats() const override;  // counts pinned memory only

  // Pinned memory of any size, or null if the limit is reached or the system has none. Return it
  // with Free.
  void* AllocatePinned(size_t bytes);
  // Pins host memory that others allocated, until the result is destroyed. Null if the limit is
  // reached, or the system cannot. REQUIRES: the memory outlives the result.
  std::shared_ptr<void> Register(void* memory, size_t bytes);
  bool IsPinned(const void* address) const;
  size_t pinned_bytes() const;  // taken from the system, or registered

 private:
  void* Take(size_t bytes) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  bool Grow(size_t bytes) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  size_t left() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);  // bytes until the limit
  void Unregister(void* memory);

  const std::string name_ = "pinned";
  const int ordinal_;
  const size_t limit_;

  mutable absl::Mutex mu_;
  RegionBlocks blocks_ ABSL_GUARDED_BY(mu_);
  std::map<const char*, size_t> registered_ ABSL_GUARDED_BY(mu_);  // address -> bytes
  size_t registered_bytes_ ABSL_GUARDED_BY(mu_) = 0;
  size_t next_region_ ABSL_GUARDED_BY(mu_) = size_t{16} << 20;
  AllocatorStats stats_ ABSL_GUARDED_BY(mu_);
};

}  // namespace sluice::cuda

#endif  // SLUICE_CORE_DEVICE_CUDA_PINNED_MEMORY_H_
