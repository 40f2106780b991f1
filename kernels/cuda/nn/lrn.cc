// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/nn/lrn.h"

#include "core/runtime/kernel_registry.h"
#include "kernels/common/nn/lrn_plan.h"
#include "kernels/cuda/common/kernel.h"
#include "kernels/cuda/nn/register.h"

namespace sluice::kernels {
namespace {

cuda::LrnShape ShapeOf(const LrnPlan& plan, const Tensor& x) {
  const int64_t channels = x.dim(3), rows = channels == 0 ? 0 : x.num_elements() / channels;
  return {rows, channels, plan.radius, plan.bias, plan.alpha, plan.beta};
}

struct CudaLrn {
  LrnPlan plan;

  static absl::StatusOr<CudaLrn> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const LrnPlan plan, LrnPlan::Create(node));
    return CudaLrn{plan};
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_RETURN_IF_ERROR(LrnPlan::CheckInput(ctx));
    const Tensor& x = ctx.input(0);
    SLUICE_ASSIGN(Tensor * y, ctx.AllocateOutput(0, x.shape()));
    return Launched(
        cuda::LaunchLrn(ElementOf(x.dtype()), ShapeOf(plan, x), x.raw(), y->raw(), StreamOf(ctx)));
  }
};

struct CudaLrnGrad {
  LrnPlan plan;

  static absl::StatusOr<CudaLrnGrad> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const LrnPlan plan, LrnPlan::Create(node));
    return CudaLrnGrad{plan};
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_RETURN_IF_ERROR(LrnPlan::CheckGradients(ctx));
    const Tensor &grad = ctx.input(0), &x = ctx.input(1), &y = ctx.input(2);
    SLUICE_ASSIGN(Tensor * dx, ctx.AllocateOutput(0, x.shape()));
    SLUICE_ASSIGN(Tensor scratch, ctx.AllocateTemporary(kDouble, Shape{2, x.num_elements()}));
    return Launched(cuda::LaunchLrnGrad(ElementOf(x.dtype()), ShapeOf(plan, x), grad.raw(), x.raw(),
                                        y.raw(), static_cast<double*>(scratch.raw()), dx->raw(),
                                        StreamOf(ctx)));
  }
};

}  // namespace

void RegisterCudaLrn(KernelRegistry& kernels) {
  const std::vector<TypeConstraint> types{{"T", {kFloat, kHalf, kBfloat16}}};
  kernels.Add<CudaLrn>("LRN", kGpu, types);
  kernels.Add<CudaLrnGrad>("LRNGrad", kGpu, types);
}

}  // namespace sluice::kernels
