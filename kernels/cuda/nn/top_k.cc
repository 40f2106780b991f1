// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/nn/top_k.h"

#include "core/runtime/kernel_registry.h"
#include "kernels/common/nn/top_k_plan.h"
#include "kernels/cuda/common/kernel.h"
#include "kernels/cuda/nn/register.h"

namespace sluice::kernels {
namespace {

// The rows are sorted also where the op does not ask for it.
struct CudaTopK {
  TopKPlan plan;

  static absl::StatusOr<CudaTopK> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const TopKPlan plan, TopKPlan::Create(node));
    return CudaTopK{plan};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    SLUICE_ASSIGN(const TopKPlan::Sizes sizes, plan.CheckInputs(ctx));
    SLUICE_ASSIGN(Tensor * values, ctx.AllocateOutput(0, sizes.output));
    SLUICE_ASSIGN(Tensor * columns, ctx.AllocateOutput(1, sizes.output));
    if (values->num_elements() == 0) return absl::OkStatus();
    const int64_t rows = values->num_elements() / sizes.k;
    SLUICE_ASSIGN(Tensor scratch,
                  ctx.AllocateTemporary(kUint8, Shape{cuda::TopKScratch(rows, sizes.k)}));
    return Launched(cuda::LaunchTopK(
        ElementOf(x.dtype()), x.raw(), rows, sizes.n, sizes.k, values->raw(), columns->raw(),
        static_cast<int>(SizeOf(columns->dtype())), scratch.raw(), StreamOf(ctx)));
  }
};

}  // namespace

void RegisterCudaTopK(KernelRegistry& kernels) {
  kernels.Add<CudaTopK>("TopK", kGpu, {{"T", kReal}});
  kernels.Add<CudaTopK>("TopKV2", kGpu, {{"T", kReal}}, HostMemory{"k"});
}

}  // namespace sluice::kernels
