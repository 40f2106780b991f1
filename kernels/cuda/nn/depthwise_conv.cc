// SPDX-License-Identifier: Apache-2.0
// Depthwise convolution and its gradients, by kernels of ours.
#include "kernels/cuda/nn/depthwise_conv.h"

#include "core/device/cuda_status.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/common/nn/depthwise_plan.h"
#include "kernels/cuda/common/kernel.h"
#include "kernels/cuda/nn/register.h"
#include "kernels/cuda/nn/span_of.h"

namespace sluice::kernels {
namespace {

struct DepthwiseConv {
  DepthwiseOp op;

  static absl::StatusOr<DepthwiseConv> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const DepthwiseOp op, DepthwiseOp::Create(node));
    return DepthwiseConv{op};
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const DepthwisePlan plan, op.Plan(ctx));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, plan.output));
    const Tensor& a = ctx.input(op.direction == ConvDirection::kBackpropInput ? 2 : 0);
    const Tensor& b = ctx.input(op.direction == ConvDirection::kBackpropFilter ? 2 : 1);
    if (out->num_elements() == 0) return absl::OkStatus();
    if (a.num_elements() == 0 || b.num_elements() == 0) {
      return cuda::ToStatus(cudaMemsetAsync(out->raw(), 0, out->bytes(), StreamOf(ctx)),
                            "clearing a convolution");
    }
    const DepthwiseSizes& s = plan.sizes;
    const cuda::DepthwiseShape shape{ElementOf(out->dtype()),
                                     s.batch,
                                     s.channels,
                                     s.multiplier,
                                     SpanOf(s.height),
                                     SpanOf(s.width),
                                     op.attrs.channels_first};
    return Launched(Launch(shape, a.raw(), b.raw(), out->raw(), StreamOf(ctx)));
  }

  cudaError_t Launch(const cuda::DepthwiseShape& shape, const void* a, const void* b, void* out,
                     cudaStream_t stream) const {
    switch (op.direction) {
      case ConvDirection::kForward:
        return LaunchDepthwiseConv(shape, a, b, out, stream);
      case ConvDirection::kBackpropInput:
        return LaunchDepthwiseConvInput(shape, a, b, out, stream);
      case ConvDirection::kBackpropFilter:
        return LaunchDepthwiseConvFilter(shape, a, b, out, stream);
    }
    return cudaErrorInvalidValue;
  }
};

}  // namespace

void RegisterCudaDepthwiseConv(KernelRegistry& kernels) {
  kernels.Add<DepthwiseConv>("DepthwiseConv2dNative", kGpu, {{"T", kFloating}});
  kernels.Add<DepthwiseConv>("DepthwiseConv2dNativeBackpropInput", kGpu, {{"T", kFloating}},
                             HostMemory{"input_sizes"});
  kernels.Add<DepthwiseConv>("DepthwiseConv2dNativeBackpropFilter", kGpu, {{"T", kFloating}},
                             HostMemory{"filter_sizes"});
}

}  // namespace sluice::kernels
