// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/cuda/gpu_runner.h"

#include <algorithm>
#include <random>
#include <utility>

#include "absl/synchronization/notification.h"
#include "core/device/gpu_devices.h"

#ifdef SLUICE_CUDA_DOUBLE
#include "tests/cuda_double/libraries/libraries.h"
#endif

namespace sluice::kernels {

GpuRunner::GpuRunner(void (*enter)(KernelRegistry&)) {
#ifdef SLUICE_CUDA_DOUBLE
  cuda_double::UseLibraryDoubles();
#endif
  enter(kernels_);
  auto devices = CreateGpuDevices(GpuOptions{.visible = "0"}, "/job:localhost/replica:0/task:0",
                                  /*pool=*/nullptr);
  device_ = std::move(devices.value().front());  // ends the program without a GPU
  step_ = cpu_.step();
  step_.device = device_.get();
}

GpuRunner::~GpuRunner() = default;

bool GpuRunner::IsHost(const TestNode& node, const std::string& argument) const {
  const KernelSignature* signature = kernels_.Find(node.spec, kGpu);
  if (signature == nullptr) return false;
  const std::vector<std::string>& host = signature->host.args;
  return std::find(host.begin(), host.end(), argument) != host.end();
}

absl::StatusOr<Tensor> GpuRunner::ToDevice(const Tensor& tensor) {
  absl::StatusOr<Tensor> copied;
  absl::Notification done;
  device_->CopyFromHost(tensor, [&](absl::StatusOr<Tensor> result) {
    copied = std::move(result);
    done.Notify();
  });
  done.WaitForNotification();
  return copied;
}

absl::StatusOr<Tensor> GpuRunner::ToHost(const Tensor& tensor) {
  absl::StatusOr<Tensor> copied;
  absl::Notification done;
  device_->CopyToHost(tensor, [&](absl::StatusOr<Tensor> result) {
    copied = std::move(result);
    done.Notify();
  });
  done.WaitForNotification();
  return copied;
}

absl::Status GpuRunner::RunOrStart(const Kernel& kernel, KernelContext& ctx) {
  if (!kernel.asynchronous()) return device_->Run(kernel, ctx);
  absl::Status ended;
  absl::Notification done;
  device_->Start(kernel, ctx, [&](absl::Status status) {
    ended = std::move(status);
    done.Notify();
  });
  done.WaitForNotification();
  return ended;
}

absl::StatusOr<std::vector<Tensor>> GpuRunner::Run(absl::string_view op, const AttrMap& attrs,
                                                   const std::vector<Tensor>& inputs) {
  std::vector<DType> types;
  for (const Tensor& input : inputs) types.push_back(input.dtype());
  SLUICE_ASSIGN(TestNode node, cpu_.Make(op, attrs, types));
  SLUICE_ASSIGN(node.kernel, kernels_.Make(node.spec, kGpu));
  std::vector<Slot> slots;
  for (size_t i = 0; i < inputs.size(); ++i) {
    Tensor value = inputs[i];
    if (!IsHost(node, node.spec.op_def->inputs[i].name)) {
      SLUICE_ASSIGN(value, ToDevice(value));
    }
    slots.push_back(ValueSlot(std::move(value)));
  }
  std::vector<Slot> outputs(node.spec.output_types.size());
  KernelContext ctx(step_, absl::MakeSpan(slots), absl::MakeSpan(outputs),
                    node.spec.output_types.data(), 0, 0);
  SLUICE_RETURN_IF_ERROR(RunOrStart(*node.kernel, ctx));
  std::vector<Tensor> values;
  for (Slot& output : outputs) {
    SLUICE_ASSIGN(Tensor value, ToHost(output.value));
    values.push_back(std::move(value));
  }
  return values;
}

absl::Status GpuRunner::Compare(absl::string_view op, const AttrMap& attrs,
                                const std::vector<Tensor>& inputs, double tolerance) {
  const auto expected = cpu_.Run(op, attrs, inputs);
  const auto found = Run(op, attrs, inputs);
  if (!expected.ok() || !found.ok()) {
    if (expected.status() == found.status()) return absl::OkStatus();
    return Internal("on the GPU: ", found.status().ToString(),
                    ", on the CPU: ", expected.status().ToString());
  }
  for (size_t i = 0; i < expected->size(); ++i) {
    const absl::Status same = SameTensor((*found)[i], (*expected)[i], tolerance);
    if (!same.ok()) return Internal("output ", static_cast<int>(i), ": ", same.message());
  }
  return absl::OkStatus();
}

Tensor RandomTensor(DType dtype, const Shape& shape, int seed, double low, double high) {
  Tensor made(dtype, shape);
  std::mt19937 generator(static_cast<unsigned>(seed) * 7919u + 17u);
  std::uniform_real_distribution<double> draw(low, high);
  (void)VisitDType(NumericTypes{}, dtype, [&]<typename T>(Type<T>) {
    for (T& value : made.mutable_flat<T>()) {
      if constexpr (std::is_same_v<T, Complex64> || std::is_same_v<T, Complex128>) {
        using Real = typename T::value_type;
        const double re = draw(generator);
        value = T(static_cast<Real>(re), static_cast<Real>(draw(generator)));
      } else if constexpr (std::is_unsigned_v<T>) {
        value = static_cast<T>(draw(generator) - low);
      } else if constexpr (std::is_integral_v<T>) {
        value = static_cast<T>(draw(generator));
      } else {
        value = T(static_cast<float>(draw(generator)));
      }
    }
    return absl::OkStatus();
  });
  return made;
}

}  // namespace sluice::kernels
