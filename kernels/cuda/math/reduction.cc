// SPDX-License-Identifier: Apache-2.0
// Reductions over axes, L2Loss, ArgMax and ArgMin.
#include "core/runtime/kernel_registry.h"
#include "kernels/common/axis.h"
#include "kernels/common/elementwise.h"
#include "kernels/common/math_plan.h"
#include "kernels/cuda/common/kernel.h"
#include "kernels/cuda/common/reduce.h"
#include "kernels/cuda/math/arg_reduction.h"
#include "kernels/cuda/math/register.h"

namespace sluice::kernels {
namespace {

using cuda::ReduceOp;
using cuda::ReduceShape;

absl::Status Reduce(KernelContext& ctx, ReduceOp op, const ReduceShape& shape, Tensor& out) {
  const Tensor& x = ctx.input(0);
  Tensor workspace;  // freed in the order of the stream
  if (shape.workspace_bytes() > 0) {
    SLUICE_ASSIGN(workspace, ctx.AllocateTemporary(
                                 kUint8, Shape{static_cast<int64_t>(shape.workspace_bytes())}));
  }
  return Launched(cuda::LaunchReduce(op, ElementOf(x.dtype()), shape, x.raw(), out.raw(),
                                     workspace.raw(), StreamOf(ctx)));
}

struct Reduction {
  ReduceOp op;
  bool keep_dims;

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    SLUICE_ASSIGN(const ReducedAxes axes, ReducedAxes::Parse(x.shape(), ctx.input(1), keep_dims));
    // A single element is the result itself, even a NaN that Max skips otherwise. A norm has no
    // sign, so it is computed.
    if (op != ReduceOp::kEuclideanNorm && x.num_elements() == axes.output.num_elements()) {
      SLUICE_ASSIGN(Tensor same, x.Reshaped(axes.output));
      ctx.SetOutput(0, std::move(same));
      return absl::OkStatus();
    }
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, axes.output));
    return Reduce(ctx, op, ReduceShape::Of(x.rank(), x.shape().dims().data(), axes.reduced.data()),
                  *out);
  }
};

struct L2Loss {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Tensor * loss, ctx.AllocateOutput(0, Shape{}));
    const int64_t size = ctx.input(0).num_elements();
    const bool reduced = true;
    return Reduce(ctx, ReduceOp::kL2Loss, ReduceShape::Of(1, &size, &reduced), *loss);
  }
};

template <bool kGreatest>
struct ArgReduction {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    SLUICE_ASSIGN(const ArgReductionPlan plan, PlanArgReduction(x.shape(), ctx.input(1)));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, plan.output));
    const AxisView view(x.shape(), plan.axis);
    return Launched(cuda::LaunchArgReduction(kGreatest, ElementOf(x.dtype()),
                                             ElementOf(out->dtype()), x.raw(), view.outer,
                                             view.size, view.inner, out->raw(), StreamOf(ctx)));
  }
};

struct ReductionName {
  const char* name;
  ReduceOp op;
};
constexpr ReductionName kReductions[] = {
    {"All", ReduceOp::kAll},
    {"Any", ReduceOp::kAny},
    {"EuclideanNorm", ReduceOp::kEuclideanNorm},
    {"Max", ReduceOp::kMax},
    {"Mean", ReduceOp::kMean},
    {"Min", ReduceOp::kMin},
    {"Prod", ReduceOp::kProd},
    {"Sum", ReduceOp::kSum},
};

}  // namespace

void RegisterCudaReductions(KernelRegistry& kernels) {
  for (const ReductionName& entry : kReductions) {
    auto create = [entry](const NodeSpec& node) -> absl::StatusOr<std::unique_ptr<Kernel>> {
      SLUICE_ASSIGN(const bool keep_dims, node.Get<bool>("keep_dims"));
      return MakeKernel(Reduction{entry.op, keep_dims});
    };
    DTypeSet types;
    for (int t = 1; t < kNumDTypes; ++t) {
      const auto dtype = static_cast<DType>(t);
      if (HasElement(dtype) && cuda::Takes(entry.op, ElementOf(dtype)))
        types = types | DTypeSet(dtype);
    }
    std::vector<TypeConstraint> constraints{{"Tidx", kIndex}};
    if (types.bits() != DTypeSet(kBool).bits()) constraints.push_back({"T", types});
    kernels.AddWith(create, entry.name, kGpu, constraints, HostMemory{"reduction_indices"});
  }
  kernels.Add<L2Loss>("L2Loss", kGpu, {{"T", kFloating}});
  const std::vector<TypeConstraint> types{
      {"T", kFloating}, {"Tidx", kIndex}, {"output_type", kIndex}};
  kernels.Add<ArgReduction<true>>("ArgMax", kGpu, types, HostMemory{"dimension"});
  kernels.Add<ArgReduction<false>>("ArgMin", kGpu, types, HostMemory{"dimension"});
}

}  // namespace sluice::kernels
