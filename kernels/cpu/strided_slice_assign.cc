// Slices that are written: of a variable of either kind, or of a copy of a tensor.
#include "core/kernel_registry.h"
#include "core/variant.h"
#include "kernels/any/variables.h"
#include "kernels/cpu/elementwise.h"
#include "kernels/cpu/strided_slice.h"
#include "kernels/register.h"

namespace sluice::kernels {
namespace {

absl::StatusOr<SlicePlan> PlanWrite(const KernelContext& ctx, const Shape& target,
                                    const SliceMasks& masks) {
  SLUICE_ASSIGN(SlicePlan plan,
                SlicePlan::Make(target, ctx.input(1), ctx.input(2), ctx.input(3), masks));
  const Shape& value = ctx.input(4).shape();
  if (plan.shape.num_elements() > 0 && plan.shape != value) {
    return Unimplemented("sliced l-value shape ", plan.shape, " does not match r-value shape ",
                         value, ". Automatic broadcasting not yet implemented.");
  }
  return plan;
}

// The plan of a read, turned round.
void Write(KernelContext& ctx, const SlicePlan& plan, Tensor& target) {
  if (plan.shape.num_elements() == 0) return;
  CopyDims dims = plan.dims;
  for (CopyDim& d : dims) std::swap(d.from, d.to);
  void* to = static_cast<char*>(target.raw()) +
             plan.offset * static_cast<int64_t>(ElementSize(target.dtype()));
  StridedCopy(ctx.pool(), target.dtype(), dims, ctx.input(4).raw(), to);
}

struct StridedSliceAssign {
  SliceMasks masks;

  static absl::StatusOr<StridedSliceAssign> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(SliceMasks masks, SliceMasks::Create(node));
    return StridedSliceAssign{masks};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(LockedVariable variable, LockedVariable::Lock(ctx, 0, LockedVariable::kWrite));
    if (variable.value().dtype() != ctx.input(4).dtype()) {
      return InvalidArgument("cannot assign ", ctx.input(4).dtype(), " to a slice of ",
                             variable.value().dtype());
    }
    SLUICE_ASSIGN(const SlicePlan plan, PlanWrite(ctx, variable.value().shape(), masks));
    SLUICE_RETURN_IF_ERROR(variable.PrepareToWrite(ctx));
    Write(ctx, plan, variable.value());
    if (ctx.num_outputs() > 0) ctx.ForwardSlot(0, 0);
    return absl::OkStatus();
  }
};

struct TensorStridedSliceUpdate {
  SliceMasks masks;

  static absl::StatusOr<TensorStridedSliceUpdate> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(SliceMasks masks, SliceMasks::Create(node));
    return TensorStridedSliceUpdate{masks};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const SlicePlan plan, PlanWrite(ctx, ctx.input(0).shape(), masks));
    Tensor target = ctx.TakeInput(0);
    if (!OwnsBytes(target)) {
      SLUICE_ASSIGN(target, target.Copy());
    }
    Write(ctx, plan, target);
    ctx.SetOutput(0, std::move(target));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterStridedSliceAssign(KernelRegistry& kernels) {
  for (const char* op : {"StridedSliceAssign", "ResourceStridedSliceAssign"})
    kernels.Add<StridedSliceAssign>(op, kCpu, {{"T", kAnyType}, {"Index", kIndex}});
  kernels.Add<TensorStridedSliceUpdate>("TensorStridedSliceUpdate", kCpu,
                                        {{"T", kAnyType}, {"Index", kIndex}});
}

}  // namespace sluice::kernels
