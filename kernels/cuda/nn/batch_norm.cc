// SPDX-License-Identifier: Apache-2.0
// Fused batch normalization (Ioffe and Szegedy, 2015) and its gradient, by kernels of ours: sums
// are in a fixed order, and the reserves are those of the CPU.
#include "kernels/cuda/nn/batch_norm.h"

#include "core/device/cuda_status.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/common/nn/batch_norm_plan.h"
#include "kernels/cuda/common/device_data.h"
#include "kernels/cuda/common/kernel.h"
#include "kernels/cuda/nn/register.h"

namespace sluice::kernels {
namespace {

cuda::BatchNormShape ShapeOf(const BatchNormOp& op, const BatchNormSizes& sizes, const Tensor& x) {
  const int64_t batch = x.dim(0);
  return {.element = ElementOf(x.dtype()),
          .rows = sizes.rows,
          .channels = sizes.channels,
          .pixels = batch == 0 ? 0 : sizes.rows / batch,
          .channels_first = op.channels_first};
}

absl::StatusOr<Tensor> Floats(KernelContext& ctx, int64_t count) {
  return ctx.AllocateTemporary(kFloat, Shape{count});
}

absl::Status Clear(KernelContext& ctx, Tensor& out) {
  if (out.num_elements() == 0) return absl::OkStatus();
  return cuda::ToStatus(cudaMemsetAsync(out.raw(), 0, out.bytes(), StreamOf(ctx)),
                        "clearing an output");
}

struct FusedBatchNorm {
  BatchNormOp op;

  static absl::StatusOr<FusedBatchNorm> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const BatchNormOp op, BatchNormOp::Create(node));
    return FusedBatchNorm{op};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    SLUICE_ASSIGN(const BatchNormSizes sizes, op.Plan(ctx));
    const cuda::BatchNormShape shape = ShapeOf(op, sizes, x);
    SLUICE_ASSIGN(Tensor * y, ctx.AllocateOutput(0, x.shape()));
    Tensor mean = ctx.input(3), variance = ctx.input(4);
    if (op.training) {
      SLUICE_ASSIGN(mean, Floats(ctx, sizes.channels));
      SLUICE_ASSIGN(variance, Floats(ctx, sizes.channels));
      SLUICE_ASSIGN(Tensor partial, Floats(ctx, shape.partial_sums()));
      SLUICE_RETURN_IF_ERROR(Launched(LaunchBatchStatistics(
          shape, x.raw(), MutableDeviceData<float>(partial), MutableDeviceData<float>(mean),
          MutableDeviceData<float>(variance), StreamOf(ctx))));
    }
    SLUICE_RETURN_IF_ERROR(WriteStatistics(ctx, sizes, mean, variance));
    const cuda::BatchNormVectors vectors{DeviceData<float>(ctx.input(1)), DeviceData<float>(mean),
                                         DeviceData<float>(variance), op.epsilon};
    return Launched(LaunchBatchNormalize(shape, x.raw(), vectors, DeviceData<float>(ctx.input(2)),
                                         y->raw(), StreamOf(ctx)));
  }

  // Outputs 1 to 5.
  absl::Status WriteStatistics(KernelContext& ctx, const BatchNormSizes& sizes, const Tensor& mean,
                               const Tensor& variance) const {
    float* out[4];
    for (int i = 0; i < 4; ++i) {
      SLUICE_ASSIGN(Tensor * vector, ctx.AllocateOutput(i + 1, Shape{sizes.channels}));
      out[i] = MutableDeviceData<float>(*vector);
    }
    const cuda::BatchNormOutputs outputs{
        .unbiased = op.training ? sizes.unbiased() : 1.0f,
        .factor = op.factor,
        .running_mean = op.averages() ? DeviceData<float>(ctx.input(3)) : nullptr,
        .running_variance = op.averages() ? DeviceData<float>(ctx.input(4)) : nullptr,
        .mean = out[0],
        .variance = out[1],
        .reserve_mean = out[2],
        .reserve_variance = out[3]};
    SLUICE_RETURN_IF_ERROR(
        Launched(LaunchBatchNormOutputs(sizes.channels, DeviceData<float>(mean),
                                        DeviceData<float>(variance), outputs, StreamOf(ctx))));
    if (!op.third_reserve) return absl::OkStatus();
    SLUICE_ASSIGN(Tensor * reserve, ctx.AllocateOutput(5, Shape{}));
    return Clear(ctx, *reserve);
  }
};

struct FusedBatchNormGrad {
  BatchNormOp op;

  static absl::StatusOr<FusedBatchNormGrad> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const BatchNormOp op, BatchNormOp::Create(node));
    return FusedBatchNormGrad{op};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &dy = ctx.input(0), &x = ctx.input(1);
    SLUICE_ASSIGN(const BatchNormSizes sizes, op.PlanGradient(ctx));
    SLUICE_ASSIGN(Tensor * dx, ctx.AllocateOutput(0, x.shape()));
    SLUICE_ASSIGN(Tensor * dscale, ctx.AllocateOutput(1, Shape{sizes.channels}));
    SLUICE_ASSIGN(Tensor * doffset, ctx.AllocateOutput(2, Shape{sizes.channels}));
    for (int i : {3, 4}) SLUICE_RETURN_IF_ERROR(ctx.AllocateOutput(i, Shape{0}).status());
    if (x.num_elements() == 0) {  // the saved statistics of no image are NaN; the gradients are 0
      SLUICE_RETURN_IF_ERROR(Clear(ctx, *dscale));
      return Clear(ctx, *doffset);
    }
    const cuda::BatchNormShape shape = ShapeOf(op, sizes, x);
    SLUICE_ASSIGN(Tensor partial, Floats(ctx, shape.partial_sums()));
    SLUICE_ASSIGN(Tensor factors, Floats(ctx, 3 * sizes.channels));
    const cuda::BatchNormVectors vectors{DeviceData<float>(ctx.input(2)),
                                         DeviceData<float>(ctx.input(3)),
                                         DeviceData<float>(ctx.input(4)), op.epsilon};
    return Launched(LaunchBatchNormGrad(
        shape, op.training, dy.raw(), x.raw(), vectors, MutableDeviceData<float>(partial),
        MutableDeviceData<float>(factors),
        {dx->raw(), MutableDeviceData<float>(*dscale), MutableDeviceData<float>(*doffset)},
        StreamOf(ctx)));
  }
};

}  // namespace

void RegisterCudaBatchNorm(KernelRegistry& kernels) {
  const std::vector<TypeConstraint> types{{"T", {kHalf, kBfloat16, kFloat}}, {"U", kFloat}};
  kernels.Add<FusedBatchNorm>("FusedBatchNorm", kGpu, {{"T", kFloat}});
  kernels.Add<FusedBatchNorm>("FusedBatchNormV2", kGpu, types);
  kernels.Add<FusedBatchNorm>("FusedBatchNormV3", kGpu, types);
  kernels.Add<FusedBatchNormGrad>("FusedBatchNormGrad", kGpu, {{"T", kFloat}});
  kernels.Add<FusedBatchNormGrad>("FusedBatchNormGradV2", kGpu, types);
  kernels.Add<FusedBatchNormGrad>("FusedBatchNormGradV3", kGpu, types);
}

}  // namespace sluice::kernels
