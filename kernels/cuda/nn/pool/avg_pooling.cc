// SPDX-License-Identifier: Apache-2.0
// Average pooling of images and of volumes, with gradients, by kernels of ours: both layouts, and
// averages without padding, as TensorFlow has them.
#include <utility>

#include "core/runtime/kernel_registry.h"
#include "kernels/cuda/nn/pool/pool_shape.h"
#include "kernels/cuda/nn/register.h"

namespace sluice::kernels {
namespace {

struct AvgPool {
  PoolOp op;

  static absl::StatusOr<AvgPool> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(PoolOp op, PoolOp::Create(node));
    return AvgPool{std::move(op)};
  }
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& in = ctx.input(0);
    SLUICE_ASSIGN(const PoolSizes s, op.Sizes(ctx, in.shape(), false));
    SLUICE_ASSIGN(const Shape shape, op.OutputShape(s));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    return Launched(LaunchAvgPool(ShapeOf(op, s, in.dtype()), in.raw(), out->raw(), StreamOf(ctx)));
  }
};

struct AvgPoolGrad {
  PoolOp op;

  static absl::StatusOr<AvgPoolGrad> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(PoolOp op, PoolOp::Create(node));
    return AvgPoolGrad{std::move(op)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Shape shape, PooledImageShape(op, ctx.input(0)));
    const Tensor& grad = ctx.input(1);
    SLUICE_ASSIGN(const PoolSizes s, op.Sizes(ctx, shape, false));
    SLUICE_ASSIGN(const Shape pooled, op.OutputShape(s));
    SLUICE_RETURN_IF_ERROR(CheckShape("grad", "out_backprop", grad.shape(), pooled));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    return Launched(
        LaunchAvgPoolGrad(ShapeOf(op, s, grad.dtype()), grad.raw(), out->raw(), StreamOf(ctx)));
  }
};

}  // namespace

void RegisterCudaAvgPooling(KernelRegistry& kernels) {
  for (const char* op : {"AvgPool", "AvgPool3D"}) {
    kernels.Add<AvgPool>(op, kGpu, {{"T", kFloating}});
  }
  for (const char* op : {"AvgPoolGrad", "AvgPool3DGrad"}) {
    kernels.Add<AvgPoolGrad>(op, kGpu, {{"T", kFloating}}, HostMemory{"orig_input_shape"});
  }
}

}  // namespace sluice::kernels
