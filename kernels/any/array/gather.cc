// SPDX-License-Identifier: Apache-2.0
// Gather, GatherV2, GatherNd: rows of a tensor by index.
#include "kernels/any/array/register.h"
#include "kernels/common/axis.h"
#include "kernels/common/primitives.h"

namespace sluice::kernels {
namespace {

struct Gather {
  int64_t batch_dims;
  bool has_axis;
  const Primitives* on = nullptr;

  static absl::StatusOr<Gather> Create(const NodeSpec& node) {
    const bool v2 = node.op == "GatherV2";
    return Gather{v2 ? GetAttrOr<int64_t>(node.attrs, "batch_dims", 0) : 0, v2};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &params = ctx.input(0), &indices = ctx.input(1);
    if (params.rank() < 1) return InvalidArgument("params must be at least 1 dimensional");
    SLUICE_ASSIGN(int axis, Axis(ctx, params));
    int64_t batch = batch_dims;
    if (batch < -indices.rank() || batch > indices.rank()) {
      return InvalidArgument("Expected batch_dims in the range [", -indices.rank(), ", ",
                             indices.rank(), "], but got ", batch);
    }
    if (batch < 0) batch += indices.rank();
    if (batch >= params.rank() && batch > 0) {
      return InvalidArgument("batch_dims (", batch, ") must be less than rank(params) (",
                             params.rank(), ").");
    }
    if (has_axis && ctx.input(2).num_elements() == 1 && axis < batch) {
      return InvalidArgument("batch_dims (", batch, ") must be less than or equal to axis (", axis,
                             ").");
    }
    for (int d = 0; d < batch; ++d) {
      if (params.dim(d) != indices.dim(d)) {
        return InvalidArgument("params.shape[", d, "]: ", params.dim(d),
                               " should be equal to indices.shape[", d, "]: ", indices.dim(d));
      }
    }
    SLUICE_ASSIGN(const GatherPlan plan,
                  GatherPlan::Make(params.shape(), indices.shape(), axis, static_cast<int>(batch)));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, plan.shape));
    if (plan.shape.num_elements() == 0) return absl::OkStatus();
    return on->GatherRows(ctx, params, indices, plan.sizes, *out);
  }

 private:
  absl::StatusOr<int> Axis(const KernelContext& ctx, const Tensor& params) const {
    if (!has_axis) return 0;
    if (ctx.input(2).rank() != 0) return InvalidArgument("axis must be scalar");
    SLUICE_ASSIGN(int64_t given, IntScalar(ctx.input(2)));
    int axis;
    if (!NormalizeAxis(given, params.rank(), &axis)) {
      return InvalidArgument("Expected axis in the range [", -params.rank(), ", ", params.rank(),
                             "), but got ", given);
    }
    return axis;
  }
};

struct GatherNd {
  bool ignore_bad;  // the slice stays zero
  std::string name;
  const Primitives* on = nullptr;

  static absl::StatusOr<GatherNd> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(bool ignore, IgnoresBadIndices(node));
    return GatherNd{ignore, node.name};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &params = ctx.input(0), &indices = ctx.input(1);
    SLUICE_ASSIGN(const Shape shape, GatherSlicesShape(params.shape(), indices.shape()));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    const absl::Status status = on->GatherSlices(ctx, params, indices, ignore_bad, *out);
    if (!absl::IsInvalidArgument(status)) return status;
    return InvalidArgument(status.message(), ", node name: ", name);
  }
};

}  // namespace

void RegisterGather(KernelRegistry& kernels, const Primitives& on) {
  const DTypeSet index{kInt16, kInt32, kInt64};
  const DTypeSet types = TypesOn(on, kAnyType);
  AddOn<Gather>(kernels, on, "Gather", {{"Tparams", types}, {"Tindices", kIndex}});
  AddOn<Gather>(kernels, on, "GatherV2",
                {{"Tparams", types}, {"Tindices", index}, {"Taxis", kIndex}}, HostMemory{"axis"});
  AddOn<GatherNd>(kernels, on, "GatherNd", {{"Tparams", types}, {"Tindices", index}});
}

}  // namespace sluice::kernels
