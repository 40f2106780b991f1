// SPDX-License-Identifier: Apache-2.0
// OneHot on the GPU. An index out of range gives a row of off_value.
#include "kernels/cuda/array/one_hot.h"

#include "kernels/common/array/one_hot_plan.h"
#include "kernels/cuda/array/register.h"
#include "kernels/cuda/common/kernel.h"
#include "kernels/cuda/common/primitives.h"

namespace sluice::kernels {
namespace {

struct OneHot {
  int64_t axis;

  static absl::StatusOr<OneHot> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const int64_t axis, node.Get<int64_t>("axis"));
    return OneHot{axis};
  }
  absl::Status Run(KernelContext& ctx) const {
    const Tensor &indices = ctx.input(0), &on = ctx.input(2), &off = ctx.input(3);
    SLUICE_ASSIGN(const OneHotPlan plan,
                  OneHotPlan::Make(indices.shape(), ctx.input(1), on.shape(), off.shape(), axis));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, plan.shape));
    return Launched(cuda::LaunchOneHot(static_cast<int>(SizeOf(on.dtype())), IndicesOf(indices),
                                       plan.outer, plan.depth, plan.inner, on.raw(), off.raw(),
                                       out->raw(), StreamOf(ctx)));
  }
};

}  // namespace

void RegisterCudaOneHot(KernelRegistry& kernels) {
  kernels.Add<OneHot>("OneHot", kGpu, {{"T", kPlain}, {"TI", {kUint8, kInt32, kInt64}}},
                      HostMemory{"depth"});
}

}  // namespace sluice::kernels
