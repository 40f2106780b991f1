// SPDX-License-Identifier: Apache-2.0
// ScatterNd and the scatters into a copy of a tensor, on the GPU. A position out of range is
// dropped.
#include "kernels/cuda/array/register.h"
#include "kernels/cuda/common/primitives.h"

namespace sluice::kernels {
namespace {

struct ScatterNd {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor &indices = ctx.input(0), &updates = ctx.input(1);
    SLUICE_ASSIGN(const Shape shape, ShapeFrom(ctx.input(2)));
    SLUICE_RETURN_IF_ERROR(CheckSlices(shape, indices.shape(), updates.shape()));
    SLUICE_RETURN_IF_ERROR(CheckNoVector(indices.shape(), updates.shape(), shape));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    SLUICE_RETURN_IF_ERROR(
        CudaPrimitives().Zero(ctx, out->dtype(), out->raw(), shape.num_elements()));
    if (updates.num_elements() == 0) return absl::OkStatus();
    return CudaPrimitives().UpdateSlices(ctx, Combine::kAdd, *out, indices, updates,
                                         /*ignore_bad=*/true);
  }
};

struct TensorScatter {
  Combine how;
  bool takes_vector;

  static absl::StatusOr<TensorScatter> Create(const NodeSpec& node) {
    const Combine how = node.op == "TensorScatterUpdate" ? Combine::kReplace
                        : node.op == "TensorScatterSub"  ? Combine::kSub
                        : node.op == "TensorScatterMax"  ? Combine::kMax
                        : node.op == "TensorScatterMin"  ? Combine::kMin
                                                         : Combine::kAdd;
    return TensorScatter{how, node.op == "ScatterNdNonAliasingAdd"};
  }
  absl::Status Run(KernelContext& ctx) const {
    const Tensor indices = ctx.input(1), updates = ctx.input(2);
    const Shape shape = ctx.input(0).shape();
    SLUICE_RETURN_IF_ERROR(CheckSlices(shape, indices.shape(), updates.shape()));
    if (!takes_vector)
      SLUICE_RETURN_IF_ERROR(CheckNoVector(indices.shape(), updates.shape(), shape));
    const void* before = ctx.input(0).raw();
    SLUICE_ASSIGN(Tensor * out, ctx.ForwardOrAllocate({0}, 0, shape));
    if (out->raw() != before) {
      SLUICE_RETURN_IF_ERROR(
          CudaPrimitives().Copy(ctx, out->dtype(), before, out->raw(), shape.num_elements()));
    }
    if (updates.num_elements() == 0) return absl::OkStatus();
    return CudaPrimitives().UpdateSlices(ctx, how, *out, indices, updates, /*ignore_bad=*/true);
  }
};

}  // namespace

void RegisterCudaScatterNd(KernelRegistry& kernels) {
  kernels.Add<ScatterNd>("ScatterNd", kGpu, {{"T", kNumeric}, {"Tindices", kIndex}},
                         HostMemory{"shape"});
  kernels.Add<TensorScatter>("TensorScatterUpdate", kGpu, {{"T", kPlain}, {"Tindices", kIndex}});
  for (const char* op : {"TensorScatterAdd", "TensorScatterSub", "ScatterNdNonAliasingAdd"})
    kernels.Add<TensorScatter>(op, kGpu, {{"T", kNumeric}, {"Tindices", kIndex}});
  for (const char* op : {"TensorScatterMax", "TensorScatterMin"})
    kernels.Add<TensorScatter>(op, kGpu, {{"T", kReal}, {"Tindices", kIndex}});
}

}  // namespace sluice::kernels
