// SPDX-License-Identifier: Apache-2.0
#include "core/device/cuda_gpu.h"

#include <utility>

#include "core/device/cuda_status.h"
#include "core/log.h"
#include "core/tensor/allocation_label.h"

namespace sluice::cuda {

CudaGpu::~CudaGpu() {
  // Errors are ignored: the process ends, or the GPU is lost.
  for (cudaEvent_t event : events_) (void)cudaEventDestroy(event);
}

absl::Status CudaGpu::WhyLost() const {
  absl::MutexLock lock(&mu_);
  return why_lost_;
}

absl::Status CudaGpu::Use() {
  if (lost()) return WhyLost();
  return Check(cudaSetDevice(ordinal_), "using the GPU");
}

void CudaGpu::MakeCurrent() { (void)cudaSetDevice(ordinal_); }

absl::Status CudaGpu::Check(cudaError_t error, absl::string_view doing) {
  if (error == cudaSuccess) return absl::OkStatus();
  // The runtime also returns the error of a failed call at the next query.
  (void)cudaGetLastError();
  absl::Status status = Annotate(ToStatus(error, doing), name_);
  if (!IsSticky(error)) return lost() ? WhyLost() : status;
  if (const absl::string_view node = AllocationLabel::OfThread(); !node.empty())
    status = Annotate(ToStatus(error, doing), Cat(name_, " at ", node));
  {
    absl::MutexLock lock(&mu_);
    if (!why_lost_.ok()) return why_lost_;
    why_lost_ = status;
    lost_.store(true, std::memory_order_release);
  }
  Log(LogLevel::kError, "lost ", status.message());
  if (on_lost_) on_lost_(status);
  return status;
}

absl::StatusOr<cudaEvent_t> CudaGpu::TakeEvent() {
  {
    absl::MutexLock lock(&mu_);
    if (!events_.empty()) {
      const cudaEvent_t event = events_.back();
      events_.pop_back();
      return event;
    }
  }
  cudaEvent_t event = nullptr;
  SLUICE_RETURN_IF_ERROR(
      Check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming | cudaEventBlockingSync),
            "making an event"));
  return event;
}

void CudaGpu::GiveBack(cudaEvent_t event) {
  absl::MutexLock lock(&mu_);
  events_.push_back(event);
}

absl::StatusOr<cudaEvent_t> CudaGpu::Record(cudaStream_t stream) {
  absl::StatusOr<cudaEvent_t> event = TakeEvent();
  if (event.ok()) {
    const absl::Status status = Check(cudaEventRecord(*event, stream), "recording an event");
    if (status.ok()) return event;
    GiveBack(*event);
    event = status;
  }
  (void)Finish(stream, "waiting in place of an event");
  return event.status();
}

absl::Status CudaGpu::FindError(cudaStream_t stream) {
  if (lost()) return WhyLost();
  const cudaError_t error = cudaStreamQuery(stream);
  if (error != cudaErrorNotReady) return Check(error, "asking for a stream");
  (void)cudaGetLastError();  // the runtime stores this error too
  return absl::OkStatus();
}

absl::Status CudaGpu::Finish(cudaStream_t stream, absl::string_view doing) {
  if (lost()) return WhyLost();
  return Check(cudaStreamSynchronize(stream), doing);
}

absl::StatusOr<std::unique_ptr<CudaStream>> CudaStream::Create(CudaGpu& gpu) {
  cudaStream_t stream = nullptr;
  SLUICE_RETURN_IF_ERROR(
      gpu.Check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "making a stream"));
  return std::unique_ptr<CudaStream>(new CudaStream(stream));
}

CudaStream::~CudaStream() { (void)cudaStreamDestroy(stream_); }

}  // namespace sluice::cuda
