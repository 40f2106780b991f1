// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_CORE_CUDA_CUDA_DEVICE_FIXTURE_H_
#define SLUICE_TESTS_CORE_CUDA_CUDA_DEVICE_FIXTURE_H_

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>

#include "absl/synchronization/notification.h"
#include "core/device/cuda_device.h"
#include "core/device/cuda_launch.h"
#include "core/device/cuda_status.h"
#include "core/device/gpu_devices.h"
#include "core/runtime/kernel.h"

#ifdef SLUICE_CUDA_DOUBLE
#include "tests/cuda_double/control.h"
#endif

namespace sluice::cuda {

// A kernel whose Run calls a function.
struct Calling {
  std::function<absl::Status(KernelContext&)> run;
  absl::Status Run(KernelContext& ctx) const { return run(ctx); }
};

// One GPU: of the machine, or of the double of the CUDA runtime, which must be as before afterwards.
class CudaDeviceTest : public ::testing::Test {
 protected:
  static constexpr char kTask[] = "/job:a/replica:0/task:0";

#ifdef SLUICE_CUDA_DOUBLE
  CudaDeviceTest() { cuda_double::Reset(); }
  ~CudaDeviceTest() override {
    device_.reset();
    cuda_double::HoldStreams(false);
    EXPECT_EQ(cuda_double::CountAll().device_bytes, 0);
    EXPECT_EQ(cuda_double::CountAll().pinned_bytes, 0);
    EXPECT_EQ(cuda_double::CountAll().streams, 0);
    EXPECT_EQ(cuda_double::CountAll().events, 0);
    for (const std::string& report : cuda_double::Reports()) ADD_FAILURE() << report;
    cuda_double::Reset();
  }
  // Sets the order of threads, and delays of up to so many microseconds.
  static void Disturb(uint64_t seed, int64_t delay) {
    cuda_double::SetSeed(seed);
    cuda_double::SetDelay(delay);
  }
#else
  static void Disturb(uint64_t, int64_t) {}
#endif

  absl::Status Make(GpuOptions options = {}) {
    options.visible = "0";
    auto devices = CreateGpuDevices(options, kTask, nullptr);
    if (!devices.ok()) return devices.status();
    device_ = std::move(devices->front());
    return absl::OkStatus();
  }

  // Starts a copy and waits for its end.
  absl::StatusOr<Tensor> Upload(const Tensor& tensor) {
    return Await([&](auto done) { device_->CopyFromHost(tensor, std::move(done)); });
  }
  absl::StatusOr<Tensor> Fetch(const Tensor& tensor) {
    return Await([&](auto done) { device_->CopyToHost(tensor, std::move(done)); });
  }
  absl::Status Finish() {
    absl::Notification ended;
    absl::Status seen;
    device_->Sync([&](absl::Status status) {
      seen = std::move(status);
      ended.Notify();
    });
    ended.WaitForNotification();
    return seen;
  }

  absl::StatusOr<Tensor> New(DType dtype, const Shape& shape) {
    return Tensor::Allocate(device_->allocator(), dtype, shape);
  }
  // Runs `run` as a kernel of the device.
  absl::Status RunKernel(std::function<absl::Status(KernelContext&)> run) {
    StepContext step;
    step.device = device_.get();
    internal::KernelOf<Calling, Calling> kernel(Calling{std::move(run)});
    KernelContext ctx(step, {}, {}, nullptr, 0, 0);
    return device_->Run(kernel, ctx);
  }
  // Enqueues one function of the device.
  template <typename... Params, typename... Args>
  absl::Status Enqueue(void (*kernel)(Params...), Args... args) {
    return RunKernel([&](KernelContext& ctx) {
      return ToStatus(Launch(kernel, dim3(1), dim3(1), 0, StreamOf(ctx.device()), args...),
                      "launching");
    });
  }

  std::unique_ptr<Device> device_;

 private:
  template <typename Begin>
  static absl::StatusOr<Tensor> Await(Begin begin) {
    absl::Notification ended;
    absl::StatusOr<Tensor> result;
    begin([&](absl::StatusOr<Tensor> copy) {
      result = std::move(copy);
      ended.Notify();
    });
    ended.WaitForNotification();
    return result;
  }
};

// --- device code ---

inline void AddKernel(int32_t* data, int64_t n, int32_t value) {
  for (int64_t i = 0; i < n; ++i) data[i] += value;
}
inline void FillKernel(int32_t* data, int64_t n, int32_t value) {
  for (int64_t i = 0; i < n; ++i) data[i] = value;
}
inline void CountOthersKernel(const int32_t* data, int64_t n, int32_t value,
                              std::atomic<int64_t>* others) {
  for (int64_t i = 0; i < n; ++i) others->fetch_add(data[i] != value, std::memory_order_relaxed);
}
// Keeps the compute stream busy. The double runs it on the host.
inline void WaitKernel(absl::Notification* until) { until->WaitForNotification(); }

inline int32_t* Data(const Tensor& tensor) { return static_cast<int32_t*>(tensor.raw()); }
inline Tensor Numbers(int64_t n, int32_t first) {
  Tensor tensor(kInt32, Shape{n});
  for (int64_t i = 0; i < n; ++i)
    tensor.mutable_data<int32_t>()[i] = first + static_cast<int32_t>(i);
  return tensor;
}
// "ok", or the first difference to Numbers(n, first).
inline std::string Compared(const absl::StatusOr<Tensor>& tensor, int64_t n, int32_t first) {
  if (!tensor.ok()) return tensor.status().ToString();
  if (tensor->num_elements() != n) return Cat(tensor->num_elements(), " elements");
  for (int64_t i = 0; i < n; ++i) {
    if (tensor->data<int32_t>()[i] != first + static_cast<int32_t>(i))
      return Cat("element ", i, " is ", tensor->data<int32_t>()[i]);
  }
  return "ok";
}

}  // namespace sluice::cuda

#endif  // SLUICE_TESTS_CORE_CUDA_CUDA_DEVICE_FIXTURE_H_
