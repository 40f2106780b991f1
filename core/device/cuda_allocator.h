// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_DEVICE_CUDA_ALLOCATOR_H_
#define SLUICE_CORE_DEVICE_CUDA_ALLOCATOR_H_

#include <deque>
#include <functional>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "core/device/cuda_gpu.h"
#include "core/device/region_blocks.h"
#include "core/tensor/allocator.h"

namespace sluice::cuda {

// CudaAllocator is the memory of one GPU, in the order of its compute stream. A freed block serves
// the next kernel at once, because that kernel runs after those that used the block. A copy stream
// has another order: the tensor must live until the copy is done, and memory that a copy writes
// comes from AllocateForCopy.
//
// The allocator takes regions from the runtime on demand, up to the limit, and keeps them. When
// memory is short it waits for copies, then releases unused regions, then returns null.
//
// Owner:    its device, and each live block.
// Threads:  any.
class CudaAllocator final : public Allocator, public RefCounted {
 public:
  struct Options {
    std::string name;
    size_t limit = 0;           // bytes of all regions
    bool exact_growth = false;  // regions have the size of the request; else they double
    size_t first_region = size_t{64} << 20;
  };

  CudaAllocator(Options options, RefPtr<CudaGpu> gpu, cudaStream_t compute);
  ~CudaAllocator() override;

  const std::string& name() const override { return options_.name; }
  void* Allocate(size_t bytes) override;
  void Free(void* block, size_t bytes) override;
  bool host_readable() const override { return false; }
  bool device_only() const override { return true; }
  AllocatorStats stats() const override;  // the peak counts live bytes
  std::string Shortage(int64_t elements, size_t element_bytes) const override;

  // While a CopyTarget lives, this thread's Allocate returns memory that the compute stream no
  // longer uses. So a copy into it need not wait for earlier kernels.
  class CopyTarget {
   public:
    CopyTarget();
    ~CopyTarget();
    // The compute stream still uses all free memory: the copy must wait for an event in it.
    bool must_wait() const { return must_wait_; }

   private:
    friend class CudaAllocator;
    bool must_wait_ = false;
  };

  // Records the position of the compute stream. Memory that is free now is free for copies once the
  // stream has passed it.
  void Mark();
  // `wait` drops the tensors of copies that are done.
  void set_wait_for_copies(std::function<void()> wait);
  // Tells the allocator that the streams are empty and stay so. Blocks may still be live.
  void StreamEnded();

  bool Owns(const void* address) const;
  size_t limit() const { return options_.limit; }

 private:
  struct PastMark {
    uint64_t number;
    cudaEvent_t event;
  };

  void* Counted(char* block, size_t bytes) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  char* Take(size_t bytes, bool any_region, CopyTarget* target) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  char* TakeOrGrow(size_t bytes, CopyTarget* target) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  bool Grow(size_t bytes) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void ReleaseUnused() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void LookAtMarks() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  const Options options_;
  const RefPtr<CudaGpu> gpu_;
  const cudaStream_t compute_;

  mutable absl::Mutex mu_;
  RegionBlocks blocks_ ABSL_GUARDED_BY(mu_);
  size_t next_region_ ABSL_GUARDED_BY(mu_);
  uint64_t last_mark_ ABSL_GUARDED_BY(mu_) = 0;
  uint64_t passed_mark_ ABSL_GUARDED_BY(mu_) = 0;
  std::deque<PastMark> marks_ ABSL_GUARDED_BY(mu_);  // recorded, not known to be passed
  bool stream_ended_ ABSL_GUARDED_BY(mu_) = false;
  std::function<void()> wait_for_copies_ ABSL_GUARDED_BY(mu_);
  AllocatorStats stats_ ABSL_GUARDED_BY(mu_);
};

}  // namespace sluice::cuda

#endif  // SLUICE_CORE_DEVICE_CUDA_ALLOCATOR_H_
