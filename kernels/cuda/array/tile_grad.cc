// SPDX-License-Identifier: Apache-2.0
// The gradient of Tile: the sum over the copies, which are axes of their own.
#include "core/runtime/kernel_registry.h"
#include "kernels/common/array/inplace_plan.h"
#include "kernels/cuda/array/register.h"
#include "kernels/cuda/common/kernel.h"
#include "kernels/cuda/common/reduce.h"

namespace sluice::kernels {
namespace {

struct CudaTileGrad {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    SLUICE_ASSIGN(const Shape shape, TileGradShape(x.shape(), ctx.input(1)));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    absl::InlinedVector<int64_t, 16> sizes;
    absl::InlinedVector<bool, 16> summed;
    for (int d = 0; d < x.rank(); ++d) {
      sizes.insert(sizes.end(), {shape.dim(d) == 0 ? 1 : x.dim(d) / shape.dim(d), shape.dim(d)});
      summed.insert(summed.end(), {true, false});
    }
    const auto plan = cuda::ReduceShape::Of(2 * x.rank(), sizes.data(), summed.data());
    Tensor workspace;
    if (plan.workspace_bytes() > 0) {
      SLUICE_ASSIGN(workspace, ctx.AllocateTemporary(
                                   kUint8, Shape{static_cast<int64_t>(plan.workspace_bytes())}));
    }
    return Launched(cuda::LaunchReduce(cuda::ReduceOp::kSum, ElementOf(x.dtype()), plan, x.raw(),
                                       out->raw(), workspace.raw(), StreamOf(ctx)));
  }
};

}  // namespace

void RegisterCudaTileGrad(KernelRegistry& kernels) {
  kernels.Add<CudaTileGrad>("TileGrad", kGpu, {{"T", kFloating | kComplex | DTypeSet{kInt64}}},
                            HostMemory{"multiples"});
}

}  // namespace sluice::kernels
