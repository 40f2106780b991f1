// SPDX-License-Identifier: Apache-2.0
#include "core/device/cuda_allocator.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/tensor/allocation_label.h"

namespace sluice::cuda {
namespace {

constexpr size_t kSmallRegion = size_t{4} << 20;
constexpr size_t kRegionGrain = size_t{2} << 20;  // the driver's page
constexpr size_t kLargestRegion = size_t{1} << 30;
constexpr size_t kShown = 10;  // blocks in the text of an error

// The address of blocks without bytes; it is never read or written.
char* const kNoBytes = reinterpret_cast<char*>(RegionBlocks::kGrain);

thread_local CudaAllocator::CopyTarget* copy_target = nullptr;

size_t RoundUp(size_t bytes, size_t grain) { return (bytes + grain - 1) / grain * grain; }

}  // namespace

CudaAllocator::CopyTarget::CopyTarget() { copy_target = this; }
CudaAllocator::CopyTarget::~CopyTarget() { copy_target = nullptr; }

CudaAllocator::CudaAllocator(Options options, RefPtr<CudaGpu> gpu, cudaStream_t compute)
    : options_(std::move(options)),
      gpu_(std::move(gpu)),
      compute_(compute),
      next_region_(options_.first_region) {
  stats_.limit = static_cast<int64_t>(options_.limit);
}

CudaAllocator::~CudaAllocator() {
  (void)gpu_->Use();
  absl::MutexLock lock(&mu_);
  ReleaseUnused();
  for (const PastMark& mark : marks_) gpu_->GiveBack(mark.event);
}

void CudaAllocator::set_wait_for_copies(std::function<void()> wait) {
  absl::MutexLock lock(&mu_);
  wait_for_copies_ = std::move(wait);
}

void* CudaAllocator::Allocate(size_t bytes) {
  if (bytes == 0) return kNoBytes;
  if (bytes > options_.limit) return nullptr;
  CopyTarget* const target = copy_target;
  std::function<void()> wait_for_copies;
  {
    absl::MutexLock lock(&mu_);
    if (char* block = TakeOrGrow(bytes, target); block != nullptr) return Counted(block, bytes);
    wait_for_copies = wait_for_copies_;
  }
  if (gpu_->lost()) return nullptr;
  if (wait_for_copies) wait_for_copies();  // called without the lock, because it frees blocks
  absl::MutexLock lock(&mu_);
  char* block = TakeOrGrow(bytes, target);
  if (block == nullptr && !stream_ended_) {
    (void)gpu_->Finish(compute_, "waiting for device memory");
    ReleaseUnused();
    block = TakeOrGrow(bytes, target);
  }
  if (block == nullptr) block = Take(bytes, /*any_region=*/true, target);
  return block == nullptr ? nullptr : Counted(block, bytes);
}

void* CudaAllocator::Counted(char* block, size_t bytes) {
  stats_.live_bytes += static_cast<int64_t>(bytes);
  stats_.peak_bytes = std::max(stats_.peak_bytes, stats_.live_bytes);
  stats_.largest = std::max(stats_.largest, static_cast<int64_t>(bytes));
  ++stats_.allocations;
  Ref();  // the block's
  return block;
}

void CudaAllocator::Free(void* block, size_t bytes) {
  if (block == nullptr || block == kNoBytes) return;
  {
    absl::MutexLock lock(&mu_);
    stats_.live_bytes -= static_cast<int64_t>(bytes);
    blocks_.Give(static_cast<char*>(block), stream_ended_ ? 0 : last_mark_ + 1);
  }
  Unref();
}

char* CudaAllocator::Take(size_t bytes, bool any_region, CopyTarget* target) {
  const absl::string_view label = AllocationLabel::OfThread();
  if (target == nullptr)
    return blocks_.Take(bytes, RegionBlocks::kAnyStamp, any_region, label.data(), label.size());
  LookAtMarks();
  char* block = blocks_.Take(bytes, passed_mark_, any_region, label.data(), label.size());
  if (block == nullptr && any_region) {
    block = blocks_.Take(bytes, RegionBlocks::kAnyStamp, true, label.data(), label.size());
    target->must_wait_ = block != nullptr;
  }
  return block;
}

char* CudaAllocator::TakeOrGrow(size_t bytes, CopyTarget* target) {
  if (char* block = Take(bytes, false, target); block != nullptr) return block;
  return Grow(bytes) ? Take(bytes, false, target) : nullptr;
}

// Takes a region in which the request fits. Tries smaller regions if the limit, or other processes
// on the GPU, require it.
bool CudaAllocator::Grow(size_t bytes) {
  const size_t left = options_.limit - std::min(options_.limit, blocks_.region_bytes());
  const bool small = bytes <= RegionBlocks::kSmall;
  const size_t least = small ? kRegionGrain : RoundUp(bytes, kRegionGrain);
  size_t size = small ? kSmallRegion : least;
  if (!small && !options_.exact_growth) size = std::max(least, next_region_);
  size = std::min(size, left / RegionBlocks::kGrain * RegionBlocks::kGrain);
  // At the limit a region may be smaller than a page.
  const size_t enough = RoundUp(bytes, RegionBlocks::kGrain);
  if (!gpu_->Use().ok()) return false;
  for (; size >= enough; size = size > least ? std::max(least, size / 2) : 0) {
    void* base = nullptr;
    if (gpu_->Check(cudaMalloc(&base, size), "allocating device memory").ok()) {
      blocks_.AddRegion(static_cast<char*>(base), size, small);
      if (!small) next_region_ = std::min(kLargestRegion, 2 * next_region_);
      return true;
    }
    if (gpu_->lost()) return false;
  }
  return false;
}

void CudaAllocator::ReleaseUnused() {
  // cudaFree waits for work that uses the memory.
  for (const RegionBlocks::Region& region : blocks_.RemoveUnused())
    (void)gpu_->Check(cudaFree(region.base), "giving device memory back");
}

void CudaAllocator::Mark() {
  absl::MutexLock lock(&mu_);
  if (stream_ended_) return;
  LookAtMarks();
  // Without an event, the next mark replaces this one.
  const absl::StatusOr<cudaEvent_t> event = gpu_->Record(compute_);
  if (event.ok()) marks_.push_back({++last_mark_, *event});
}

void CudaAllocator::LookAtMarks() {
  while (!marks_.empty()) {
    const cudaError_t error = cudaEventQuery(marks_.front().event);
    if (error == cudaErrorNotReady) {
      (void)cudaGetLastError();  // the runtime stores this error too
      return;
    }
    if (!gpu_->Check(error, "asking for an event").ok()) return;
    passed_mark_ = marks_.front().number;
    gpu_->GiveBack(marks_.front().event);
    marks_.pop_front();
  }
}

void CudaAllocator::StreamEnded() {
  absl::MutexLock lock(&mu_);
  stream_ended_ = true;
  wait_for_copies_ = nullptr;
  for (const PastMark& mark : marks_) gpu_->GiveBack(mark.event);
  marks_.clear();
  passed_mark_ = last_mark_ + 1;
}

bool CudaAllocator::Owns(const void* address) const {
  if (address == kNoBytes) return true;
  absl::MutexLock lock(&mu_);
  return blocks_.Owns(address);
}

AllocatorStats CudaAllocator::stats() const {
  absl::MutexLock lock(&mu_);
  return stats_;
}

std::string CudaAllocator::Shortage(int64_t elements, size_t element_bytes) const {
  absl::MutexLock lock(&mu_);
  std::string text =
      absl::StrCat(": ", elements, " x ", element_bytes, " bytes requested, limit ", options_.limit,
                   ", in use ", stats_.live_bytes, ", taken from the GPU ", blocks_.region_bytes());
  size_t free_bytes = 0, total_bytes = 0;
  if (!gpu_->lost() && cudaMemGetInfo(&free_bytes, &total_bytes) == cudaSuccess)
    absl::StrAppend(&text, ", left on the GPU ", free_bytes);
  if (gpu_->lost()) absl::StrAppend(&text, "; ", gpu_->WhyLost().message());
  const std::vector<RegionBlocks::Live> largest = blocks_.Largest(kShown);
  if (!largest.empty()) absl::StrAppend(&text, "; largest:");
  for (const RegionBlocks::Live& live : largest) {
    absl::StrAppend(&text, " ", live.bytes, " bytes of ",
                    live.label[0] != 0 ? live.label : "(no node)", ",");
  }
  if (!largest.empty()) text.pop_back();
  return text;
}

}  // namespace sluice::cuda
