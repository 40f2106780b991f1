// SPDX-License-Identifier: Apache-2.0
// Max pooling of images and of volumes, with gradients, by kernels of ours: both layouts, and of
// equal elements the first takes the gradient, which cuDNN does not promise.
#include <utility>

#include "core/device/cuda_status.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/cuda/common/device_data.h"
#include "kernels/cuda/nn/pool/pool_shape.h"
#include "kernels/cuda/nn/register.h"

namespace sluice::kernels {
namespace {

struct MaxPool {
  PoolOp op;

  static absl::StatusOr<MaxPool> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(PoolOp op, PoolOp::Create(node));
    return MaxPool{std::move(op)};
  }
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& in = ctx.input(0);
    SLUICE_ASSIGN(const PoolSizes s, op.Sizes(ctx, in.shape(), true));
    SLUICE_ASSIGN(const Shape shape, op.OutputShape(s));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    return Launched(LaunchMaxPool(ShapeOf(op, s, in.dtype()), in.raw(), out->raw(), StreamOf(ctx)));
  }
};

// The places of the maxima, for a gradient.
absl::StatusOr<Tensor> PlacesOf(KernelContext& ctx, const cuda::PoolShape& shape, const Tensor& in,
                                int64_t outputs) {
  SLUICE_ASSIGN(Tensor places, ctx.AllocateTemporary(kInt64, Shape{outputs}));
  SLUICE_RETURN_IF_ERROR(
      Launched(LaunchArgMaxPool(shape, in.raw(), /*include_batch=*/false, /*out=*/nullptr,
                                Element::kInt64, places.raw(), StreamOf(ctx))));
  return places;
}

struct MaxPoolGrad {
  PoolOp op;

  static absl::StatusOr<MaxPoolGrad> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(PoolOp op, PoolOp::Create(node));
    return MaxPoolGrad{std::move(op)};
  }
  absl::Status Run(KernelContext& ctx) const {
    const Tensor &in = ctx.input(0), &max = ctx.input(1), &grad = ctx.input(2);
    SLUICE_ASSIGN(const PoolSizes s, op.Sizes(ctx, in.shape(), true));
    SLUICE_ASSIGN(const Shape pooled, op.OutputShape(s));
    SLUICE_RETURN_IF_ERROR(CheckShape("orig_output", "tensor_out", max.shape(), pooled));
    SLUICE_RETURN_IF_ERROR(CheckShape("grad", "out_backprop", grad.shape(), pooled));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, in.shape()));
    if (in.num_elements() == 0) return absl::OkStatus();
    const cuda::PoolShape shape = ShapeOf(op, s, in.dtype());
    if (op.attrs.spaces == 3) {
      return Launched(LaunchMaxPoolVolumeGrad(shape, in.raw(), max.raw(), grad.raw(), out->raw(),
                                              StreamOf(ctx)));
    }
    SLUICE_RETURN_IF_ERROR(CheckPixels(s));
    SLUICE_ASSIGN(const Tensor places, PlacesOf(ctx, shape, in, pooled.num_elements()));
    return Launched(LaunchMaxPoolGrad(shape, DeviceData<int64_t>(places), grad.raw(), out->raw(),
                                      StreamOf(ctx)));
  }
};

// The gradient of MaxPoolGrad: what flows to each maximum's pixel.
struct MaxPoolGradGrad {
  PoolOp op;

  static absl::StatusOr<MaxPoolGradGrad> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(PoolOp op, PoolOp::Create(node));
    return MaxPoolGradGrad{std::move(op)};
  }
  absl::Status Run(KernelContext& ctx) const {
    const Tensor &in = ctx.input(0), &grad = ctx.input(2);
    SLUICE_ASSIGN(const PoolSizes s, op.Sizes(ctx, in.shape(), false));
    SLUICE_ASSIGN(const Shape pooled, op.OutputShape(s));
    SLUICE_RETURN_IF_ERROR(CheckShape("orig_output", "tensor_out", ctx.input(1).shape(), pooled));
    SLUICE_RETURN_IF_ERROR(CheckShape("grad", "out_grad_backprop", grad.shape(), in.shape()));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, pooled));
    if (pooled.num_elements() == 0) return absl::OkStatus();
    SLUICE_RETURN_IF_ERROR(CheckPixels(s));
    const cuda::PoolShape shape = ShapeOf(op, s, in.dtype());
    SLUICE_ASSIGN(const Tensor places, PlacesOf(ctx, shape, in, pooled.num_elements()));
    return Launched(LaunchMaxPoolGradGrad(shape, DeviceData<int64_t>(places), grad.raw(),
                                          out->raw(), StreamOf(ctx)));
  }
};

struct MaxPoolWithArgmax {
  PoolOp op;
  bool include_batch;

  static absl::StatusOr<MaxPoolWithArgmax> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(PoolOp op, PoolOp::Create(node));
    SLUICE_ASSIGN(const bool include_batch, node.Get<bool>("include_batch_in_index"));
    return MaxPoolWithArgmax{std::move(op), include_batch};
  }
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& in = ctx.input(0);
    SLUICE_ASSIGN(const PoolSizes s, op.Sizes(ctx, in.shape(), false));
    SLUICE_ASSIGN(const Shape shape, op.OutputShape(s));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    SLUICE_ASSIGN(Tensor * where, ctx.AllocateOutput(1, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    SLUICE_RETURN_IF_ERROR(CheckPixels(s));
    return Launched(LaunchArgMaxPool(ShapeOf(op, s, in.dtype()), in.raw(), include_batch,
                                     out->raw(), ElementOf(where->dtype()), where->raw(),
                                     StreamOf(ctx)));
  }
};

// The places are the caller's: one out of range is dropped, as a scatter does on a GPU.
struct MaxPoolGradWithArgmax {
  PoolOp op;
  bool include_batch;

  static absl::StatusOr<MaxPoolGradWithArgmax> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(PoolOp op, PoolOp::Create(node));
    SLUICE_ASSIGN(const bool include_batch, node.Get<bool>("include_batch_in_index"));
    return MaxPoolGradWithArgmax{std::move(op), include_batch};
  }
  absl::Status Run(KernelContext& ctx) const {
    const Tensor &grad = ctx.input(1), &where = ctx.input(2);
    const Shape shape = ctx.input(0).shape();
    SLUICE_ASSIGN(const PoolSizes s, op.Sizes(ctx, shape, false));
    SLUICE_ASSIGN(const Shape pooled, op.OutputShape(s));
    SLUICE_RETURN_IF_ERROR(CheckShape("grad", "out_backprop", grad.shape(), pooled));
    SLUICE_RETURN_IF_ERROR(CheckShape("argmax", "argmax", where.shape(), pooled));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    const bool narrow = grad.dtype() == kHalf || grad.dtype() == kBfloat16;
    Tensor sums = *out;
    if (narrow) {
      SLUICE_ASSIGN(sums, ctx.AllocateTemporary(kFloat, shape));
    }
    SLUICE_RETURN_IF_ERROR(cuda::ToStatus(
        cudaMemsetAsync(sums.raw(), 0, sums.bytes(), StreamOf(ctx)), "clearing a gradient"));
    const cuda::ArgMaxScatter scatter{ElementOf(grad.dtype()),
                                      ElementOf(where.dtype()),
                                      s.batch,
                                      s.in_image(),
                                      s.out_image(),
                                      include_batch};
    SLUICE_RETURN_IF_ERROR(
        Launched(LaunchArgMaxScatter(scatter, grad.raw(), where.raw(), sums.raw(), StreamOf(ctx))));
    if (!narrow) return absl::OkStatus();
    return Launched(LaunchRound(ElementOf(out->dtype()), shape.num_elements(),
                                DeviceData<float>(sums), out->raw(), StreamOf(ctx)));
  }
};

}  // namespace

void RegisterCudaMaxPooling(KernelRegistry& kernels) {
  const std::vector<TypeConstraint> real{{"T", SetOf(RealTypes{})}};
  for (const char* op : {"MaxPool", "MaxPool3D"}) kernels.Add<MaxPool>(op, kGpu, real);
  kernels.Add<MaxPool>("MaxPoolV2", kGpu, real, HostMemory{"ksize", "strides"});
  kernels.Add<MaxPoolGrad>("MaxPoolGrad", kGpu, real);
  kernels.Add<MaxPoolGrad>("MaxPoolGradV2", kGpu, real, HostMemory{"ksize", "strides"});
  for (const DType t : {kHalf, kBfloat16, kFloat}) {
    kernels.Add<MaxPoolGrad>("MaxPool3DGrad", kGpu, {{"T", t}, {"TInput", t}});
  }
  for (const char* op : {"MaxPoolGradGrad", "MaxPool3DGradGrad"}) {
    kernels.Add<MaxPoolGradGrad>(op, kGpu, real);
  }
  kernels.Add<MaxPoolGradGrad>("MaxPoolGradGradV2", kGpu, real, HostMemory{"ksize", "strides"});
  kernels.Add<MaxPoolWithArgmax>("MaxPoolWithArgmax", kGpu,
                                 {{"T", SetOf(RealTypes{})}, {"Targmax", kIndex}});
  kernels.Add<MaxPoolGradWithArgmax>("MaxPoolGradWithArgmax", kGpu,
                                     {{"T", kFloating}, {"Targmax", kIndex}});
}

}  // namespace sluice::kernels
