// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/nn/in_top_k.h"

#include "core/runtime/kernel_registry.h"
#include "kernels/common/nn/in_top_k_plan.h"
#include "kernels/cuda/common/kernel.h"
#include "kernels/cuda/nn/register.h"

namespace sluice::kernels {
namespace {

struct CudaInTopK {
  InTopKPlan plan;

  static absl::StatusOr<CudaInTopK> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const InTopKPlan plan, InTopKPlan::Create(node));
    return CudaInTopK{plan};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &predictions = ctx.input(0), &targets = ctx.input(1);
    SLUICE_ASSIGN(const int64_t k, plan.CheckInputs(ctx));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, targets.shape()));
    return Launched(cuda::LaunchInTopK(
        static_cast<const float*>(predictions.raw()), targets.raw(), targets.dtype() == kInt64,
        predictions.dim(0), predictions.dim(1), k, static_cast<bool*>(out->raw()), StreamOf(ctx)));
  }
};

}  // namespace

void RegisterCudaInTopK(KernelRegistry& kernels) {
  kernels.Add<CudaInTopK>("InTopK", kGpu, {{"T", kIndex}});
  kernels.Add<CudaInTopK>("InTopKV2", kGpu, {{"T", kIndex}}, HostMemory{"k"});
}

}  // namespace sluice::kernels
