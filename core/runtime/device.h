// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_RUNTIME_DEVICE_H_
#define SLUICE_CORE_RUNTIME_DEVICE_H_

#include <memory>
#include <string>

#include "core/device_name.h"
#include "core/runtime/kernel.h"
#include "core/tensor/allocator.h"
#include "core/tensor/resource.h"
#include "core/threads/thread_pool.h"

namespace sluice {

// The attributes of a device that other tasks see.
struct DeviceAttributes {
  std::string name;  // full
  std::string type;
  int64_t memory_limit = 256 << 20;
  uint64_t incarnation = 0;  // random, not 0; drawn again each time the device is made
  std::string description;
  int numa_node = 0;  // the host's node closest to the device
};

// A Device has memory and runs kernels.
//
// Owner:    Server; outlives every Step.
// Threads:  any; a device orders its own streams.
class Device {
 public:
  explicit Device(
      DeviceAttributes attributes);  // draws the incarnation; an empty type is taken from the name
  virtual ~Device() = default;

  const DeviceAttributes& attributes() const { return attributes_; }
  const std::string& name() const { return attributes_.name; }
  const std::string& type() const { return attributes_.type; }
  const DeviceName& parsed_name() const { return parsed_name_; }

  virtual Allocator& allocator() const = 0;  // of the device's memory
  virtual Allocator& host_allocator() const { return CpuAllocator(); }
  // Host memory that the device copies from and into without a detour; null: any host memory.
  virtual Allocator* transfer_allocator() const { return nullptr; }
  // Makes host memory that others allocated good for such copies, until the result is destroyed.
  // Null if it remains as it is.
  virtual std::shared_ptr<void> PinHostMemory(void* /*memory*/, size_t /*bytes*/) {
    return nullptr;
  }
  virtual WorkQueue* pool() const = 0;               // intra-op; may be null
  ResourceStore& resources() { return resources_; }  // shared by all sessions that are not isolated

  // Runs a kernel, or enqueues it. A device with streams returns before the outputs' bytes are
  // written; work that is enqueued later sees them. The default calls kernel.Run on this thread.
  virtual absl::Status Run(const Kernel& kernel, KernelContext& ctx) { return kernel.Run(ctx); }
  // The same for a kernel that ends later (Kernel::asynchronous). The default calls kernel.Start.
  virtual void Start(const Kernel& kernel, KernelContext& ctx, Done done) {
    kernel.Start(ctx, std::move(done));
  }
  // True if the host may read this device's tensors only through CopyToHost.
  virtual bool has_own_memory() const { return false; }
  // Runs after the kernels enqueued before. `done` runs on a thread of the device. The default
  // shares the tensor.
  virtual void CopyToHost(const Tensor& tensor,
                          absl::AnyInvocable<void(absl::StatusOr<Tensor>)> done) {
    done(tensor);
  }
  virtual void CopyFromHost(const Tensor& tensor,
                            absl::AnyInvocable<void(absl::StatusOr<Tensor>)> done) {
    done(tensor);
  }
  // A copy in the device's own memory, of bytes that are there, ordered as a kernel is.
  virtual absl::StatusOr<Tensor> CopyWithin(const Tensor& tensor) { return tensor.Copy(); }
  // `done` runs after all work that was enqueued before. Its status is an error of that work that
  // no call has reported yet.
  virtual void Sync(Done done) { done(absl::OkStatus()); }

 private:
  const DeviceAttributes attributes_;
  const DeviceName parsed_name_;
  ResourceStore resources_;
};

// Host memory; kernels run on the calling thread.
std::unique_ptr<Device> CreateCpuDevice(std::string full_name, WorkQueue* pool);
// Accepts every node and computes nothing: outputs are zero scalars. For placement and executor
// tests.
std::unique_ptr<Device> CreateNullDevice(std::string full_name);
// The asynchronous test device. Kernels run later on the device's own thread, in order. Memory that
// they will write reads as poison (0xA5 bytes, or the variable's old value) until they have run;
// CopyToHost waits for its turn. The type is "CPU", so every CPU kernel proves that it works with
// streams. With `max_delay_us` each kernel is delayed by a random time up to that limit, from a
// fixed seed. Callers must run kernels of such a device by Device::Run, also cheap ones. A kernel
// that calls back into the executor (sends, enqueues) must be asynchronous.
std::unique_ptr<Device> CreateAsyncDevice(std::string full_name, WorkQueue* pool,
                                          int max_delay_us = 0);

}  // namespace sluice

#endif  // SLUICE_CORE_RUNTIME_DEVICE_H_
