// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_DEVICE_CUDA_COPIES_H_
#define SLUICE_CORE_DEVICE_CUDA_COPIES_H_

#include <array>
#include <deque>
#include <memory>
#include <string>

#include "absl/functional/any_invocable.h"
#include "core/device/cuda_allocator.h"
#include "core/device/cuda_completions.h"
#include "core/device/cuda_gpu.h"
#include "core/device/cuda_pinned_memory.h"
#include "core/device/sync_points.h"
#include "core/tensor/tensor.h"

namespace sluice::cuda {

// CudaCopies moves tensors between the host and one GPU.
//
// Up to 64 KiB go through pinned memory in the compute stream itself. This takes the GPU less time
// than ordering two streams. A copy to the GPU is then done at once, because kernels that use it
// come after it.
//
// Larger ones have a stream for each direction, and are done when their event has passed. A copy to
// the host waits for the kernels before it. A copy to the GPU does not: it writes memory that the
// compute stream no longer uses. Its tensor is handed over only when the bytes are there. If the
// compute stream waited instead, kernels that do not use the tensor would wait too: those of the
// step that the copy is to overlap.
//
// Pinned memory is copied directly. Other memory is copied in pieces through two pinned buffers:
// one is filled while the other is copied.
//
// Owner:    its device.
// Threads:  any. `done` runs on the completions' thread, or inside the call.
class CudaCopies {
 public:
  using Copied = absl::AnyInvocable<void(absl::StatusOr<Tensor>)>;
  struct Streams {
    cudaStream_t compute, to_device, to_host;
  };

  // All outlive this.
  CudaCopies(CudaGpu* gpu, CudaAllocator* memory, PinnedMemory* pinned,
             CudaCompletions* completions, SyncPoints* points, const Streams& streams);
  ~CudaCopies();

  void ToHost(const Tensor& tensor, Copied done);
  void FromHost(const Tensor& tensor, Copied done);
  // In the compute stream.
  absl::StatusOr<Tensor> Within(const Tensor& tensor);

 private:
  // A copy in pieces. Only the completions' thread uses it.
  struct PieceCopy {
    Tensor host, device;
    std::string node;   // of the AllocationLabel
    size_t issued = 0;  // bytes
    int in_flight = 0;  // pieces
    absl::Status status;
    CudaCompletions::Then end;
  };
  struct Direction {
    CudaCompletions::Line line;
    cudaStream_t stream;
    std::deque<std::unique_ptr<PieceCopy>> copies = {};  // the first is being copied
    std::array<char*, 2> pieces = {};
    size_t next_piece = 0;
  };

  absl::Status Named(const absl::Status& status, const char* way, size_t bytes) const;
  bool IsHere(const Tensor& tensor) const;
  // Copies through the pinned `slot`, and releases it.
  void SmallToHost(const Tensor& tensor, void* slot, Copied done);
  void SmallFromHost(const Tensor& tensor, void* slot, Copied done);
  void LargeToHost(const Tensor& tensor, Copied done);
  void LargeFromHost(const Tensor& tensor, Copied done);
  absl::StatusOr<Tensor> CopyTarget(const Tensor& tensor);
  // `stream` waits for the present work of the compute stream.
  absl::Status WaitForCompute(cudaStream_t stream);
  // Copies all bytes between the tensors; then, or after an error, `end` runs.
  void Move(Direction& direction, const Tensor& host, const Tensor& device,
            CudaCompletions::Then end);
  void Advance(Direction& direction);
  absl::Status IssuePiece(Direction& direction, PieceCopy& copy);
  void PieceEnded(Direction& direction, const char* piece, size_t offset, size_t bytes,
                  const absl::Status& status);

  CudaGpu* const gpu_;
  CudaAllocator* const memory_;
  PinnedMemory* const pinned_;
  CudaCompletions* const completions_;
  SyncPoints* const points_;
  const Streams streams_;
  const RefPtr<PinnedMemory> reserve_;  // of the pieces
  Direction to_device_, to_host_;
};

}  // namespace sluice::cuda

#endif  // SLUICE_CORE_DEVICE_CUDA_COPIES_H_
