// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_DEVICE_CUDA_GPU_H_
#define SLUICE_CORE_DEVICE_CUDA_GPU_H_

#include <cuda_runtime_api.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "core/status.h"
#include "core/tensor/ref.h"

namespace sluice::cuda {

// A CudaGpu is one GPU with the CUDA runtime's number, and the common state of its device, streams
// and memory: the first error after which no call succeeds, and events for reuse.
//
// Owner:    the device and its memory, which live tensors keep.
// Threads:  any.
class CudaGpu final : public RefCounted {
 public:
  using OnLost = std::function<void(const absl::Status& why)>;

  // `on_lost`, if not null, is called once, when the GPU is lost: on any thread, perhaps with locks
  // held. It must not block.
  CudaGpu(int ordinal, std::string name, OnLost on_lost = nullptr)
      : ordinal_(ordinal), name_(std::move(name)), on_lost_(std::move(on_lost)) {}
  ~CudaGpu() override;

  int ordinal() const { return ordinal_; }
  const std::string& name() const { return name_; }

  // Makes the GPU the current one of this thread. Returns an error once the GPU is lost.
  absl::Status Use();
  // The same for a thread that looks at errors later.
  void MakeCurrent();
  // The Status of a call. After a sticky error the GPU is lost, and its message stays that of the
  // first error: it names the node of this thread's AllocationLabel.
  absl::Status Check(cudaError_t error, absl::string_view doing);
  bool lost() const { return lost_.load(std::memory_order_acquire); }
  absl::Status WhyLost() const;

  // An event recorded on `stream`. If there can be none, waits until the stream is empty, so that
  // the caller may free the stream's memory, and returns the error. Events are kept for reuse.
  // REQUIRES: Use.
  absl::StatusOr<cudaEvent_t> Record(cudaStream_t stream);
  void GiveBack(cudaEvent_t event);
  // The error that stays, if one of the stream's work was not seen yet. Does not wait.
  absl::Status FindError(cudaStream_t stream);
  // Waits until the stream is empty, and records a sticky error.
  absl::Status Finish(cudaStream_t stream, absl::string_view doing);

 private:
  absl::StatusOr<cudaEvent_t> TakeEvent();

  const int ordinal_;
  const std::string name_;  // of the device
  const OnLost on_lost_;

  std::atomic<bool> lost_{false};
  mutable absl::Mutex mu_;
  absl::Status why_lost_ ABSL_GUARDED_BY(mu_);
  std::vector<cudaEvent_t> events_ ABSL_GUARDED_BY(mu_);
};

// A stream of a GPU that does not wait for the default stream.
class CudaStream {
 public:
  static absl::StatusOr<std::unique_ptr<CudaStream>> Create(CudaGpu& gpu);
  ~CudaStream();
  CudaStream(const CudaStream&) = delete;
  CudaStream& operator=(const CudaStream&) = delete;
  cudaStream_t get() const { return stream_; }

 private:
  explicit CudaStream(cudaStream_t stream) : stream_(stream) {}
  const cudaStream_t stream_;
};

}  // namespace sluice::cuda

#endif  // SLUICE_CORE_DEVICE_CUDA_GPU_H_
