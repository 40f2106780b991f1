// SPDX-License-Identifier: Apache-2.0
// Softmax, its logarithm, and the cross entropies that contain it.
#include "kernels/cuda/nn/softmax.h"

#include "core/runtime/kernel_registry.h"
#include "kernels/common/nn/softmax_plan.h"
#include "kernels/cuda/common/kernel.h"
#include "kernels/cuda/nn/cross_entropy.h"
#include "kernels/cuda/nn/register.h"

namespace sluice::kernels {
namespace {

struct CudaSoftmax {
  bool log;

  static absl::StatusOr<CudaSoftmax> Create(const NodeSpec& node) {
    return CudaSoftmax{absl::string_view(node.op) == "LogSoftmax"};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Shape shape = ctx.input(0).shape();
    SLUICE_RETURN_IF_ERROR(CheckSoftmax(shape));
    const DType dtype = ctx.input(0).dtype();
    const void* in = ctx.input(0).raw();  // stays valid: if forwarded, it is the output
    SLUICE_ASSIGN(Tensor * out, ctx.ForwardOrAllocate({0}, 0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    const int64_t n = shape.dim(shape.rank() - 1);
    return Launched(cuda::LaunchSoftmax(log, ElementOf(dtype), in, shape.num_elements() / n, n,
                                        out->raw(), StreamOf(ctx)));
  }
};

struct CudaCrossEntropy {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor &logits = ctx.input(0), &labels = ctx.input(1);
    SLUICE_ASSIGN(const CrossEntropyPlan plan,
                  CrossEntropyPlan::Of(logits.shape(), labels.shape()));
    const int64_t rows = plan.shape.dim(0);
    SLUICE_ASSIGN(Tensor * loss, ctx.AllocateOutput(0, Shape{rows}));
    SLUICE_ASSIGN(Tensor * backprop, ctx.AllocateOutput(1, plan.shape));
    return Launched(cuda::LaunchCrossEntropy(
        ElementOf(logits.dtype()), {logits.raw(), plan.logits.row, plan.logits.col},
        {labels.raw(), plan.labels.row, plan.labels.col}, rows, plan.shape.dim(1), loss->raw(),
        backprop->raw(), StreamOf(ctx)));
  }
};

struct CudaSparseCrossEntropy {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor &logits = ctx.input(0), &labels = ctx.input(1);
    SLUICE_RETURN_IF_ERROR(CheckSparseCrossEntropy(logits.shape(), labels.shape()));
    SLUICE_ASSIGN(Tensor * loss, ctx.AllocateOutput(0, labels.shape()));
    SLUICE_ASSIGN(Tensor * backprop, ctx.AllocateOutput(1, logits.shape()));
    return Launched(cuda::LaunchSparseCrossEntropy(
        ElementOf(logits.dtype()), logits.raw(), labels.raw(), labels.dtype() == kInt64,
        logits.shape().dim(0), logits.shape().dim(1), loss->raw(), backprop->raw(), StreamOf(ctx)));
  }
};

}  // namespace

void RegisterCudaSoftmax(KernelRegistry& kernels) {
  kernels.Add<CudaSoftmax>("Softmax", kGpu, {{"T", kFloating}});
  kernels.Add<CudaSoftmax>("LogSoftmax", kGpu, {{"T", kFloating}});
  kernels.Add<CudaCrossEntropy>("SoftmaxCrossEntropyWithLogits", kGpu, {{"T", kFloating}});
  kernels.Add<CudaSparseCrossEntropy>("SparseSoftmaxCrossEntropyWithLogits", kGpu,
                                      {{"T", kFloating}, {"Tlabels", kIndex}});
}

}  // namespace sluice::kernels
