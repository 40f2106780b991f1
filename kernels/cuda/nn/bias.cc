// SPDX-License-Identifier: Apache-2.0
// BiasAdd and its gradient.
#include "kernels/cuda/nn/bias.h"

#include "core/runtime/kernel_registry.h"
#include "kernels/common/nn/bias_plan.h"
#include "kernels/common/nn/data_format.h"
#include "kernels/cuda/common/kernel.h"
#include "kernels/cuda/common/reduce.h"
#include "kernels/cuda/nn/register.h"

namespace sluice::kernels {
namespace {

struct CudaBiasAdd {
  bool channels_first;

  static absl::StatusOr<CudaBiasAdd> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const bool first, ChannelsFirst(node));
    return CudaBiasAdd{first};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Shape shape = ctx.input(0).shape();
    const Tensor& bias = ctx.input(1);
    SLUICE_ASSIGN(const BiasPlan plan, BiasPlan::OfAdd(shape, bias.shape(), channels_first));
    const Element element = ElementOf(bias.dtype());
    const void* in = ctx.input(0).raw();  // stays valid: if forwarded, it is the output
    SLUICE_ASSIGN(Tensor * out, ctx.ForwardOrAllocate({0}, 0, shape));
    return Launched(cuda::LaunchBiasAdd(element, in, bias.raw(), out->raw(), plan.outer,
                                        plan.channels, plan.inner, StreamOf(ctx)));
  }
};

struct CudaBiasAddGrad {
  bool channels_first;

  static absl::StatusOr<CudaBiasAddGrad> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const bool first, ChannelsFirst(node));
    return CudaBiasAddGrad{first};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& in = ctx.input(0);
    SLUICE_ASSIGN(const BiasPlan plan, BiasPlan::OfGrad(in.shape(), channels_first));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, Shape{plan.channels}));
    const int64_t sizes[] = {plan.outer, plan.channels, plan.inner};
    const bool reduced[] = {true, false, true};
    const auto shape = cuda::ReduceShape::Of(3, sizes, reduced);
    Tensor workspace;  // freed in the order of the stream
    if (shape.workspace_bytes() > 0) {
      const Shape bytes{static_cast<int64_t>(shape.workspace_bytes())};
      SLUICE_ASSIGN(workspace, ctx.AllocateTemporary(kUint8, bytes));
    }
    return Launched(cuda::LaunchReduce(cuda::ReduceOp::kSum, ElementOf(in.dtype()), shape, in.raw(),
                                       out->raw(), workspace.raw(), StreamOf(ctx)));
  }
};

}  // namespace

void RegisterCudaBias(KernelRegistry& kernels) {
  kernels.Add<CudaBiasAdd>("BiasAdd", kGpu, {{"T", kFloating}});
  kernels.Add<CudaBiasAdd>("BiasAddV1", kGpu, {{"T", kFloating}});
  kernels.Add<CudaBiasAddGrad>("BiasAddGrad", kGpu, {{"T", kFloating}});
}

}  // namespace sluice::kernels
