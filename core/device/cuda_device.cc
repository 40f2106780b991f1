// SPDX-License-Identifier: Apache-2.0
#include "core/device/cuda_device.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "core/device/cuda_allocator.h"
#include "core/device/cuda_completions.h"
#include "core/device/cuda_copies.h"
#include "core/device/cuda_gpu.h"
#include "core/device/gpu_devices.h"
#include "core/device/recent_nodes.h"
#include "core/device/sync_points.h"
#include "core/tensor/allocation_label.h"

namespace sluice::cuda {
namespace {

using Copied = CudaCopies::Copied;

// An event follows at the latest after this many nodes: an error that only an event reports names
// few.
constexpr int kNodesPerEvent = 128;

struct Streams {
  std::unique_ptr<CudaStream> compute, to_device, to_host;

  static absl::StatusOr<Streams> Create(CudaGpu& gpu) {
    Streams streams;
    for (auto* stream : {&streams.compute, &streams.to_device, &streams.to_host}) {
      SLUICE_ASSIGN(*stream, CudaStream::Create(gpu));
    }
    return streams;
  }
};

class CudaDevice;

// The devices of the process, for BusyGpus.
struct LiveDevices {
  absl::Mutex mu;
  std::vector<const CudaDevice*> devices ABSL_GUARDED_BY(mu);

  static LiveDevices& Get() {
    static auto& live = *new LiveDevices;
    return live;
  }
};

class CudaDevice final : public Device {
 public:
  CudaDevice(CudaDeviceOptions options, RefPtr<CudaGpu> gpu, Streams streams);
  ~CudaDevice() override;

  Allocator& allocator() const override { return *memory_; }
  Allocator* transfer_allocator() const override { return pinned_.get(); }
  std::shared_ptr<void> PinHostMemory(void* memory, size_t bytes) override {
    return pinned_->Register(memory, bytes);
  }
  WorkQueue* pool() const override { return pool_; }
  bool has_own_memory() const override { return true; }
  cudaStream_t compute() const { return streams_.compute->get(); }
  int ordinal() const { return gpu_->ordinal(); }
  bool Busy() const;

  absl::Status Run(const Kernel& kernel, KernelContext& ctx) override;
  void Start(const Kernel& kernel, KernelContext& ctx, Done done) override;
  void CopyToHost(const Tensor& tensor, Copied done) override {
    copies_.ToHost(tensor, std::move(done));
  }
  void CopyFromHost(const Tensor& tensor, Copied done) override {
    copies_.FromHost(tensor, std::move(done));
  }
  absl::StatusOr<Tensor> CopyWithin(const Tensor& tensor) override {
    return copies_.Within(tensor);
  }
  void Sync(Done done) override;

 private:
  absl::Status WithCudaError(const absl::Status& status, cudaError_t error);
  void MarkNodes();

  WorkQueue* const pool_;
  const bool blocking_;
  const RefPtr<CudaGpu> gpu_;
  const RefPtr<PinnedMemory> pinned_;
  const Streams streams_;
  const RefPtr<CudaAllocator> memory_;
  SyncPoints points_;
  RecentNodes recent_;
  CudaCompletions completions_;
  CudaCopies copies_;
};

CudaAllocator::Options MemoryOptions(const CudaDeviceOptions& options) {
  CudaAllocator::Options memory;
  memory.name = Cat("memory of ", options.attributes.name);
  memory.limit = static_cast<size_t>(options.attributes.memory_limit);
  memory.exact_growth = options.allow_growth;
  return memory;
}

CudaDevice::CudaDevice(CudaDeviceOptions options, RefPtr<CudaGpu> gpu, Streams streams)
    : Device(options.attributes),
      pool_(options.pool),
      blocking_(options.blocking),
      gpu_(std::move(gpu)),
      pinned_(std::move(options.pinned)),
      streams_(std::move(streams)),
      memory_(MakeRefCounted<CudaAllocator>(MemoryOptions(options), gpu_, compute())),
      points_([this] { return gpu_->WhyLost(); }),
      completions_(gpu_.get(), {compute(), streams_.to_device->get(), streams_.to_host->get()}),
      copies_(gpu_.get(), memory_.get(), pinned_.get(), &completions_, &points_,
              {compute(), streams_.to_device->get(), streams_.to_host->get()}) {
  memory_->set_wait_for_copies([this] {
    completions_.DropHeld(CudaCompletions::kCompute);
    completions_.DropHeld(CudaCompletions::kToHost);
  });
  LiveDevices& live = LiveDevices::Get();
  absl::MutexLock lock(&live.mu);
  live.devices.push_back(this);
}

CudaDevice::~CudaDevice() {
  resources().ClearAll();
  completions_.Stop();
  // Kernels without an event may still run.
  (void)gpu_->Use();
  (void)gpu_->Finish(compute(), "waiting for the last kernels");
  memory_->StreamEnded();
  LiveDevices& live = LiveDevices::Get();
  absl::MutexLock lock(&live.mu);
  std::erase(live.devices, this);
}

bool CudaDevice::Busy() const {
  for (const auto* stream : {&streams_.compute, &streams_.to_device, &streams_.to_host}) {
    if (cudaStreamQuery((*stream)->get()) != cudaErrorNotReady) continue;
    (void)cudaGetLastError();  // the runtime stores this error too
    return true;
  }
  return false;
}

absl::Status CudaDevice::Run(const Kernel& kernel, KernelContext& ctx) {
  SLUICE_RETURN_IF_ERROR(gpu_->Use());
  absl::Status status = kernel.Run(ctx);
  // A check costs a few ns. A sticky error may belong to an earlier kernel.
  if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess || !status.ok())
    status = WithCudaError(status, error);
  if (blocking_) {
    if (status.ok()) status = gpu_->Finish(compute(), "waiting for the kernel");
  } else if (recent_.Add(AllocationLabel::OfThread()) >= kNodesPerEvent) {
    MarkNodes();
  }
  return status;
}

// The error of a kernel. A library reports its own error, which says less than that of the runtime.
absl::Status CudaDevice::WithCudaError(const absl::Status& status, cudaError_t error) {
  const absl::Status cause = gpu_->Check(error, "running a kernel, or one before it");
  if (gpu_->lost()) return gpu_->WhyLost();
  if (status.ok() || cause.ok()) return status.ok() ? cause : status;
  if (absl::StrContains(status.message(), cudaGetErrorName(error))) return status;
  return absl::Status(status.code(), Cat(status.message(), "; ", cause.message()));
}

void CudaDevice::Start(const Kernel& kernel, KernelContext& ctx, Done done) {
  if (const absl::Status status = gpu_->Use(); !status.ok()) return done(status);
  kernel.Start(ctx, std::move(done));
}

void CudaDevice::Sync(Done done) {
  const std::string where = Cat("the end of a step", recent_.Take());
  const AllocationLabel label(where);
  if (const absl::Status status = gpu_->Use(); !status.ok()) return done(status);
  memory_->Mark();
  const uint64_t work = points_.Begin();
  points_.Add(std::move(done));
  completions_.After(CudaCompletions::kCompute, Tensor(),
                     [this, work](const absl::Status&) { points_.End(work); });
}

// If the event reports an error, the work of a node since the event before failed.
void CudaDevice::MarkNodes() {
  const std::string where = Cat("a kernel", recent_.Take());
  const AllocationLabel label(where);
  completions_.After(CudaCompletions::kCompute, Tensor(), [](const absl::Status&) {});
}

}  // namespace

absl::StatusOr<std::unique_ptr<Device>> CreateCudaDevice(CudaDeviceOptions options) {
  const std::string& name = options.attributes.name;
  auto gpu =
      MakeRefCounted<CudaGpu>(options.ordinal, name.substr(name.rfind("GPU:")), options.on_lost);
  SLUICE_RETURN_IF_ERROR(gpu->Use());
  SLUICE_ASSIGN(Streams streams, Streams::Create(*gpu));
  return std::make_unique<CudaDevice>(std::move(options), std::move(gpu), std::move(streams));
}

cudaStream_t StreamOf(const Device& device) {
  return static_cast<const CudaDevice&>(device).compute();
}

int OrdinalOf(const Device& device) { return static_cast<const CudaDevice&>(device).ordinal(); }

}  // namespace sluice::cuda

namespace sluice {

std::vector<std::string> BusyGpus() {
  cuda::LiveDevices& live = cuda::LiveDevices::Get();
  std::vector<std::string> busy;
  absl::MutexLock lock(&live.mu);
  for (const cuda::CudaDevice* device : live.devices) {
    if (device->Busy()) busy.push_back(device->name());
  }
  return busy;
}

}  // namespace sluice
