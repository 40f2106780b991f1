// SPDX-License-Identifier: Apache-2.0
#include "core/device/cuda_copies.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "core/tensor/allocation_label.h"

namespace sluice::cuda {
namespace {

constexpr size_t kSmall = size_t{64} << 10;
constexpr size_t kPiece = size_t{4} << 20;

constexpr char kOut[] = "to the host", kIn[] = "from the host", kWithin[] = "within the GPU";

// The lock that keeps a reference variable's writers from enqueueing, if there is a variable.
class GuardLock {
 public:
  explicit GuardLock(const Tensor& tensor)
      : guard_(tensor.buffer() ? tensor.buffer()->guard() : nullptr) {
    if (guard_) guard_->mu.ReaderLock();
  }
  ~GuardLock() {
    if (guard_) guard_->mu.ReaderUnlock();
  }
  GuardLock(const GuardLock&) = delete;
  GuardLock& operator=(const GuardLock&) = delete;

 private:
  const RefPtr<BufferGuard> guard_;
};

}  // namespace

CudaCopies::CudaCopies(CudaGpu* gpu, CudaAllocator* memory, PinnedMemory* pinned,
                       CudaCompletions* completions, SyncPoints* points, const Streams& streams)
    : gpu_(gpu),
      memory_(memory),
      pinned_(pinned),
      completions_(completions),
      points_(points),
      streams_(streams),
      reserve_(MakeRefCounted<PinnedMemory>(gpu->ordinal(), 4 * kPiece)),
      to_device_{CudaCompletions::kToDevice, streams.to_device, {}},
      to_host_{CudaCompletions::kToHost, streams.to_host, {}} {}

CudaCopies::~CudaCopies() {
  for (Direction* direction : {&to_device_, &to_host_}) {
    for (char* piece : direction->pieces) reserve_->Free(piece, kPiece);
  }
}

// A lost GPU is the cause of all later errors, also of those that say that memory is short.
absl::Status CudaCopies::Named(const absl::Status& status, const char* way, size_t bytes) const {
  return Annotate(gpu_->lost() ? gpu_->WhyLost() : status, Cat("copying ", bytes, " bytes ", way));
}

bool CudaCopies::IsHere(const Tensor& tensor) const {
  return !tensor.host_readable() && memory_->Owns(tensor.raw());
}

void CudaCopies::ToHost(const Tensor& tensor, Copied done) {
  if (!IsHere(tensor)) return done(tensor.Snapshot());
  const size_t bytes = tensor.bytes();
  if (bytes == 0) return done(Tensor::Allocate(CpuAllocator(), tensor.dtype(), tensor.shape()));
  if (absl::Status status = gpu_->Use(); !status.ok()) return done(Named(status, kOut, bytes));
  void* const slot = bytes <= kSmall ? pinned_->AllocatePinned(bytes) : nullptr;
  if (slot != nullptr) return SmallToHost(tensor, slot, std::move(done));
  LargeToHost(tensor, std::move(done));
}

void CudaCopies::FromHost(const Tensor& tensor, Copied done) {
  if (!IsPlain(tensor.dtype()) || !tensor.buffer() || IsHere(tensor)) return done(tensor);
  const size_t bytes = tensor.bytes();
  if (absl::Status status = gpu_->Use(); !status.ok()) return done(Named(status, kIn, bytes));
  if (bytes == 0) return done(Tensor::Allocate(*memory_, tensor.dtype(), tensor.shape()));
  void* const slot = bytes <= kSmall ? pinned_->AllocatePinned(bytes) : nullptr;
  if (slot != nullptr) return SmallFromHost(tensor, slot, std::move(done));
  LargeFromHost(tensor, std::move(done));
}

absl::StatusOr<Tensor> CudaCopies::Within(const Tensor& tensor) {
  if (!IsHere(tensor)) return tensor.Copy();
  const size_t bytes = tensor.bytes();
  if (absl::Status status = gpu_->Use(); !status.ok()) return Named(status, kWithin, bytes);
  absl::StatusOr<Tensor> copy = Tensor::Allocate(*memory_, tensor.dtype(), tensor.shape());
  if (copy.ok() && bytes > 0) {
    const GuardLock lock(tensor);
    const absl::Status status =
        gpu_->Check(cudaMemcpyAsync(copy->raw(), tensor.raw(), bytes, cudaMemcpyDeviceToDevice,
                                    streams_.compute),
                    "copying");
    if (!status.ok()) copy = status;
  }
  if (!copy.ok()) return Named(copy.status(), kWithin, bytes);
  return copy;
}

// --- in the compute stream ---

void CudaCopies::SmallToHost(const Tensor& tensor, void* slot, Copied done) {
  const size_t bytes = tensor.bytes();
  absl::Status status;
  {
    const GuardLock lock(tensor);
    status = gpu_->Check(
        cudaMemcpyAsync(slot, tensor.raw(), bytes, cudaMemcpyDeviceToHost, streams_.compute),
        "copying");
  }
  if (!status.ok()) {
    pinned_->Free(slot, bytes);
    return done(Named(status, kOut, bytes));
  }
  const uint64_t work = points_->Begin();
  completions_->After(CudaCompletions::kCompute, tensor,
                      [this, slot, bytes, work, dtype = tensor.dtype(), shape = tensor.shape(),
                       done = std::move(done)](absl::Status ended) mutable {
                        absl::StatusOr<Tensor> copy =
                            ended.ok() ? Tensor::Allocate(CpuAllocator(), dtype, shape)
                                       : Named(ended, kOut, bytes);
                        if (copy.ok()) std::memcpy(copy->raw(), slot, bytes);
                        pinned_->Free(slot, bytes);
                        std::move(done)(std::move(copy));
                        points_->End(work);
                      });
}

void CudaCopies::SmallFromHost(const Tensor& tensor, void* slot, Copied done) {
  const size_t bytes = tensor.bytes();
  absl::StatusOr<Tensor> copy = Tensor::Allocate(*memory_, tensor.dtype(), tensor.shape());
  if (copy.ok()) {
    {
      const GuardLock lock(tensor);
      std::memcpy(slot, tensor.raw(), bytes);
    }
    const absl::Status status = gpu_->Check(
        cudaMemcpyAsync(copy->raw(), slot, bytes, cudaMemcpyHostToDevice, streams_.compute),
        "copying");
    if (!status.ok()) copy = status;
  }
  if (!copy.ok()) {
    pinned_->Free(slot, bytes);
    return done(Named(copy.status(), kIn, bytes));
  }
  // Nobody handles an error of the event: the stream has then ended, and the bytes are there.
  completions_->After(CudaCompletions::kCompute, Tensor(),
                      [this, slot, bytes](const absl::Status&) { pinned_->Free(slot, bytes); });
  std::move(done)(std::move(copy));
}

// --- in the streams for copies ---

absl::Status CudaCopies::WaitForCompute(cudaStream_t stream) {
  SLUICE_ASSIGN(const cudaEvent_t event, gpu_->Record(streams_.compute));
  const absl::Status status =
      gpu_->Check(cudaStreamWaitEvent(stream, event, 0), "ordering two streams");
  gpu_->GiveBack(event);  // the wait is for the recorded work, even if the event is recorded again
  return status;
}

void CudaCopies::LargeToHost(const Tensor& tensor, Copied done) {
  const size_t bytes = tensor.bytes();
  absl::StatusOr<Tensor> source = tensor;
  if (tensor.buffer()->guard()) source = Within(tensor);
  const absl::StatusOr<Tensor> host =
      source.ok() ? Tensor::Allocate(*pinned_, tensor.dtype(), tensor.shape()) : source.status();
  const absl::Status status = host.ok() ? WaitForCompute(streams_.to_host) : host.status();
  if (!status.ok()) return done(Named(status, kOut, bytes));
  Move(to_host_, *host, *source,
       [this, host = *host, bytes, done = std::move(done)](absl::Status ended) mutable {
         if (!ended.ok()) return std::move(done)(Named(ended, kOut, bytes));
         std::move(done)(std::move(host));
       });
}

absl::StatusOr<Tensor> CudaCopies::CopyTarget(const Tensor& tensor) {
  const CudaAllocator::CopyTarget target;
  SLUICE_ASSIGN(Tensor copy, Tensor::Allocate(*memory_, tensor.dtype(), tensor.shape()));
  if (target.must_wait()) SLUICE_RETURN_IF_ERROR(WaitForCompute(streams_.to_device));
  return copy;
}

void CudaCopies::LargeFromHost(const Tensor& tensor, Copied done) {
  const size_t bytes = tensor.bytes();
  const absl::StatusOr<Tensor> source = tensor.Snapshot();
  const absl::StatusOr<Tensor> copy = source.ok() ? CopyTarget(tensor) : source.status();
  // Prepares the next copy.
  memory_->Mark();
  if (!copy.ok()) return done(Named(copy.status(), kIn, bytes));
  Move(to_device_, *source, *copy,
       [this, copy = *copy, bytes, done = std::move(done)](absl::Status ended) mutable {
         if (!ended.ok()) return std::move(done)(Named(ended, kIn, bytes));
         std::move(done)(std::move(copy));
       });
}

void CudaCopies::Move(Direction& direction, const Tensor& host, const Tensor& device,
                      CudaCompletions::Then end) {
  const uint64_t work = points_->Begin();
  auto ended = [this, work, end = std::move(end)](absl::Status status) mutable {
    std::move(end)(std::move(status));
    points_->End(work);
  };
  if (!pinned_->IsPinned(host.raw())) {
    auto copy = std::make_unique<PieceCopy>();
    copy->host = host;
    copy->device = device;
    copy->node = std::string(AllocationLabel::OfThread());
    copy->end = std::move(ended);
    return completions_->Post([this, &direction, copy = std::move(copy)]() mutable {
      direction.copies.push_back(std::move(copy));
      if (direction.copies.size() == 1) Advance(direction);
    });
  }
  const bool out = &direction == &to_host_;
  absl::Status status = gpu_->Check(out ? cudaMemcpyAsync(host.raw(), device.raw(), device.bytes(),
                                                          cudaMemcpyDeviceToHost, direction.stream)
                                        : cudaMemcpyAsync(device.raw(), host.raw(), host.bytes(),
                                                          cudaMemcpyHostToDevice, direction.stream),
                                    "copying");
  if (!status.ok()) return ended(std::move(status));
  completions_->After(direction.line, out ? device : host, std::move(ended));
}

// --- in pieces, on the completions' thread ---

void CudaCopies::Advance(Direction& direction) {
  std::vector<std::unique_ptr<PieceCopy>> ended;
  while (!direction.copies.empty()) {
    PieceCopy& copy = *direction.copies.front();
    while (copy.status.ok() && copy.in_flight < 2 && copy.issued < copy.host.bytes())
      copy.status = IssuePiece(direction, copy);
    if (copy.in_flight > 0) break;
    ended.push_back(std::move(direction.copies.front()));
    direction.copies.pop_front();
  }
  // Called after the next copy begins, because it may do other work first.
  for (std::unique_ptr<PieceCopy>& copy : ended) {
    copy->host = copy->device = Tensor();
    std::move(copy->end)(std::move(copy->status));
  }
}

absl::Status CudaCopies::IssuePiece(Direction& direction, PieceCopy& copy) {
  const AllocationLabel label(copy.node);
  char*& piece = direction.pieces[direction.next_piece];
  if (piece == nullptr) piece = static_cast<char*>(reserve_->AllocatePinned(kPiece));
  if (piece == nullptr) {
    SLUICE_RETURN_IF_ERROR(gpu_->FindError(direction.stream));
    return ResourceExhausted("the system gives no pinned memory");
  }
  const size_t offset = copy.issued, bytes = std::min(kPiece, copy.host.bytes() - offset);
  char* const on_device = static_cast<char*>(copy.device.raw()) + offset;
  if (&direction == &to_device_) {
    std::memcpy(piece, static_cast<const char*>(copy.host.raw()) + offset, bytes);
    SLUICE_RETURN_IF_ERROR(gpu_->Check(
        cudaMemcpyAsync(on_device, piece, bytes, cudaMemcpyHostToDevice, direction.stream),
        "copying a piece"));
  } else {
    SLUICE_RETURN_IF_ERROR(gpu_->Check(
        cudaMemcpyAsync(piece, on_device, bytes, cudaMemcpyDeviceToHost, direction.stream),
        "copying a piece"));
  }
  direction.next_piece ^= 1;
  copy.issued += bytes;
  ++copy.in_flight;
  completions_->After(direction.line, Tensor(),
                      [this, &direction, piece = piece, offset, bytes](absl::Status status) {
                        PieceEnded(direction, piece, offset, bytes, status);
                      });
  return absl::OkStatus();
}

void CudaCopies::PieceEnded(Direction& direction, const char* piece, size_t offset, size_t bytes,
                            const absl::Status& status) {
  PieceCopy& copy = *direction.copies.front();
  --copy.in_flight;
  copy.status.Update(status);
  if (status.ok() && &direction == &to_host_)
    std::memcpy(static_cast<char*>(copy.host.raw()) + offset, piece, bytes);
  Advance(direction);
}

}  // namespace sluice::cuda
