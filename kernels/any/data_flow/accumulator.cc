// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/data_flow/accumulator.h"

#include <utility>

#include "core/log.h"
#include "kernels/common/variables.h"

namespace sluice::kernels {

void Accumulator::SetGlobalStep(int64_t step) {
  absl::MutexLock lock(&mu_);
  if (step < global_step_) {
    Log(LogLevel::kWarning, *this, ": the global step goes back from ", global_step_, " to ", step);
  }
  global_step_ = step;
}

int64_t Accumulator::count() const {
  absl::MutexLock lock(&mu_);
  return count_;
}

void Accumulator::Take(KernelContext& ctx, int64_t required, Done done) {
  auto attempt = [this, &ctx, required](absl::Status& result) {
    if (count_ < required) return Progress::kNone;
    result = Emit(ctx);
    ++global_step_;
    count_ = 0;
    return Progress::kEnded;
  };
  Join(0, ctx, {"TakeGrad", attempt, nullptr}, std::move(done));
}

absl::Status Accumulator::Apply(int64_t local_step, absl::FunctionRef<absl::Status()> add) {
  absl::Status status;
  Change([&] {
    if (local_step < global_step_) return;
    status = add();
    if (status.ok()) ++count_;
  });
  return status;
}

absl::Status DenseAccumulator::ApplyGradient(int64_t local_step, Tensor gradient) {
  return Apply(local_step, [&] { return Add(std::move(gradient)); });
}

absl::Status DenseAccumulator::Add(Tensor gradient) {
  if (count_ > 0 && sum_.shape() != gradient.shape())
    return InvalidArgument("Shape mismatch: expected ", sum_.shape(), ", got ", gradient.shape());
  if (!options_.shape.CompatibleWith(gradient.shape())) {
    return InvalidArgument("Shape mismatch: expected ", options_.shape, ", got ", gradient.shape());
  }
  if (count_ == 0) {
    sum_ = std::move(gradient);
    return absl::OkStatus();
  }
  Tensor sum = sum_;
  sum_ = Tensor();
  if (!OwnsBytes(sum)) {
    SLUICE_ASSIGN(sum, sum.Copy());
  }
  SLUICE_RETURN_IF_ERROR(VisitDType(FloatingTypes{}, dtype(), [&]<typename T>(Type<T>) {
    T* out = sum.mutable_data<T>();
    const T* in = gradient.data<T>();
    for (int64_t i = 0, n = sum.num_elements(); i < n; ++i) out[i] += in[i];
    return absl::OkStatus();
  }));
  sum_ = std::move(sum);
  return absl::OkStatus();
}

absl::Status DenseAccumulator::Emit(KernelContext& ctx) {
  Tensor sum = std::move(sum_);
  if (options_.mean && count_ > 1) {
    if (!OwnsBytes(sum)) {
      SLUICE_ASSIGN(sum, sum.Copy());
    }
    SLUICE_RETURN_IF_ERROR(VisitDType(FloatingTypes{}, dtype(), [&]<typename T>(Type<T>) {
      const T count(static_cast<float>(count_));
      for (T& value : sum.mutable_flat<T>()) value /= count;
      return absl::OkStatus();
    }));
  }
  ctx.SetOutput(0, std::move(sum));
  return absl::OkStatus();
}

}  // namespace sluice::kernels
