// SPDX-License-Identifier: Apache-2.0
#include <random>
#include <thread>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/time/clock.h"
#include "core/device/async_memory.h"
#include "core/device/stream.h"
#include "core/runtime/device.h"

namespace sluice {
namespace {

using Copied = absl::AnyInvocable<void(absl::StatusOr<Tensor>)>;

// Kernels compute when they are enqueued, one at a time, in memory that shows the results of
// earlier kernels. The written bytes are then removed, and the stream restores them in its order. A
// reader that does not wait for the stream gets poison, or the old value of a variable, as on a
// GPU.
class AsyncDevice final : public Device {
 public:
  AsyncDevice(DeviceAttributes attributes, WorkQueue* pool, int max_delay_us);
  ~AsyncDevice() override;

  Allocator& allocator() const override { return *memory_; }
  WorkQueue* pool() const override { return pool_; }
  bool has_own_memory() const override { return true; }
  absl::Status Run(const Kernel& kernel, KernelContext& ctx) override;
  void CopyToHost(const Tensor& tensor, Copied done) override;
  void CopyFromHost(const Tensor& tensor, Copied done) override;
  void Sync(Done done) override;

 private:
  using Addresses = absl::InlinedVector<const void*, 8>;
  // A kernel that runs. A thread has a chain of them, in case one kernel runs another.
  struct Running {
    AsyncDevice* device;
    KernelContext* ctx;
    Addresses touched;
    Running* outer;
  };

  absl::Status RunRevealed(const Kernel& kernel, KernelContext& ctx)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void Enqueue(Running& running) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void EnqueuePublish(std::vector<AsyncMemory::Write> writes);
  void Delay();

  static thread_local Running* innermost;
  static constexpr size_t kDepth = 256;  // limit of enqueued kernels

  WorkQueue* const pool_;
  const int max_delay_us_;
  const std::shared_ptr<Stream> stream_;
  const RefPtr<AsyncMemory> memory_;
  std::minstd_rand random_;  // used by the stream's thread only
  absl::Mutex mu_;  // only one kernel, or one task of the stream, sees the memory at a time
};

thread_local AsyncDevice::Running* AsyncDevice::innermost = nullptr;

const void* DataOf(const Tensor& tensor) {
  return IsPlain(tensor.dtype()) ? tensor.raw() : nullptr;
}

// The values of the variables that an input refers to.
template <typename Fn>
void VisitVariables(const Slot& slot, Fn&& fn) {
  if (slot.state == Slot::State::kRef) {
    absl::ReaderMutexLock lock(&slot.ref->guard->mu);
    fn(DataOf(slot.ref->value));
  } else if (slot.state == Slot::State::kValue && slot.value.dtype() == kResource) {
    for (const ResourceHandle& handle : slot.value.flat<ResourceHandle>()) {
      auto* variable = dynamic_cast<ResourceVariable*>(handle.object.get());
      if (variable == nullptr) continue;
      absl::ReaderMutexLock lock(&variable->mu);
      fn(DataOf(variable->value));
    }
  }
}

AsyncDevice::AsyncDevice(DeviceAttributes attributes, WorkQueue* pool, int max_delay_us)
    : Device(std::move(attributes)),
      pool_(pool),
      max_delay_us_(max_delay_us),
      stream_(std::make_shared<Stream>("sluice-stream")),
      memory_(MakeRefCounted<AsyncMemory>(Cat("memory of ", name()), stream_)) {}

AsyncDevice::~AsyncDevice() {
  resources().ClearAll();
  stream_->Stop();
}

absl::Status AsyncDevice::Run(const Kernel& kernel, KernelContext& ctx) {
  for (Running* running = innermost; running != nullptr; running = running->outer) {
    if (running->device != this) continue;
    // Called inside one of our kernels: the writes of that kernel so far come first in the stream.
    mu_.AssertHeld();
    Enqueue(*running);
    const absl::Status status = RunRevealed(kernel, ctx);
    memory_->Reveal(running->touched);
    return status;
  }
  stream_->WaitBelow(kDepth);
  absl::MutexLock lock(&mu_);
  return RunRevealed(kernel, ctx);
}

absl::Status AsyncDevice::RunRevealed(const Kernel& kernel, KernelContext& ctx) {
  Running running{this, &ctx, {}, innermost};
  for (const Slot& slot : ctx.inputs()) {
    if (slot.state == Slot::State::kValue) running.touched.push_back(DataOf(slot.value));
    VisitVariables(slot, [&](const void* data) { running.touched.push_back(data); });
  }
  memory_->Reveal(running.touched);
  innermost = &running;
  const absl::Status status = kernel.Run(ctx);
  innermost = running.outer;
  Enqueue(running);
  return status;
}

// The memory that the kernel may have written: new blocks (the memory knows them), its inputs,
// outputs and variables.
void AsyncDevice::Enqueue(Running& running) {
  Addresses written = running.touched;
  for (const Slot& slot : running.ctx->outputs()) {
    if (slot.state == Slot::State::kValue) written.push_back(DataOf(slot.value));
  }
  EnqueuePublish(memory_->Conceal(written));
}

void AsyncDevice::EnqueuePublish(std::vector<AsyncMemory::Write> writes) {
  stream_->Enqueue([this, writes = std::move(writes)] {
    Delay();
    absl::MutexLock lock(&mu_);
    memory_->Publish(writes);
  });
}

void AsyncDevice::Delay() {
  if (max_delay_us_ <= 0) return;
  absl::SleepFor(absl::Microseconds(std::uniform_int_distribution<int>(0, max_delay_us_)(random_)));
}

void AsyncDevice::CopyToHost(const Tensor& tensor, Copied done) {
  if (!memory_->Owns(DataOf(tensor))) {
    // Host memory shows now the state enqueued so far; later it may show more.
    stream_->Enqueue([copy = tensor.Snapshot(), done = std::move(done)]() mutable {
      std::move(done)(std::move(copy));
    });
    return;
  }
  stream_->Enqueue([this, tensor = tensor, done = std::move(done)]() mutable {
    absl::StatusOr<Tensor> copy;
    {
      absl::MutexLock lock(&mu_);
      copy = tensor.Copy();
    }
    tensor = Tensor();
    std::move(done)(std::move(copy));
  });
}

void AsyncDevice::CopyFromHost(const Tensor& tensor, Copied done) {
  absl::StatusOr<Tensor> copy = tensor;
  if (IsPlain(tensor.dtype()) && !memory_->Owns(tensor.raw())) {
    copy = Tensor::Allocate(*memory_, tensor.dtype(), tensor.shape());
    if (copy.ok() && tensor.bytes() != 0) {
      const absl::StatusOr<Tensor> source = tensor.Snapshot();
      absl::MutexLock lock(&mu_);
      if (source.ok()) EnqueuePublish({memory_->Fill(copy->raw(), source->raw(), source->bytes())});
    }
  }
  stream_->Enqueue([copy = std::move(copy), done = std::move(done)]() mutable {
    std::move(done)(std::move(copy));
  });
}

void AsyncDevice::Sync(Done done) {
  stream_->Enqueue([done = std::move(done)]() mutable { std::move(done)(absl::OkStatus()); });
}

}  // namespace

std::unique_ptr<Device> CreateAsyncDevice(std::string full_name, WorkQueue* pool,
                                          int max_delay_us) {
  DeviceAttributes attributes;
  attributes.name = std::move(full_name);
  attributes.description = "asynchronous double of a CPU";
  return std::make_unique<AsyncDevice>(std::move(attributes), pool, max_delay_us);
}

}  // namespace sluice
