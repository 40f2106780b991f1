// SPDX-License-Identifier: Apache-2.0
// Assignments to slices: of a variable of either kind, or of a copy of a tensor.
#include "core/tensor/variant.h"
#include "kernels/any/array/register.h"
#include "kernels/common/array/slice_plan.h"
#include "kernels/common/elementwise.h"
#include "kernels/common/variables.h"

namespace sluice::kernels {
namespace {

// A value and the slice to which it is written.
struct SliceWrite {
  SlicePlan plan;
  Tensor value;  // of the plan's shape

  static absl::StatusOr<SliceWrite> Make(KernelContext& ctx, const Primitives& on,
                                         const Shape& target, const SliceMasks& masks);
  absl::Status Apply(KernelContext& ctx, const Primitives& on, Tensor& target) const;
};

// `value`, broadcast to the shape.
absl::StatusOr<Tensor> Spread(KernelContext& ctx, const Primitives& on, const Tensor& value,
                              const Shape& shape) {
  if (value.shape() == shape || shape.num_elements() == 0) return value;
  const int missing = shape.rank() - value.rank();
  bool fits = true;
  // Extra leading dimensions must have size one.
  for (int d = 0; d < -missing; ++d) fits = fits && value.dim(d) == 1;
  CopyDims dims(shape.rank());
  for (int64_t d = shape.rank() - 1, from = 1, to = 1; fits && d >= 0; --d) {
    const int64_t size = d < missing ? 1 : value.dim(static_cast<int>(d) - missing);
    fits = size == 1 || size == shape.dim(static_cast<int>(d));
    dims[d] = {shape.dim(static_cast<int>(d)), size == 1 ? 0 : from, to};
    from *= size;
    to *= dims[d].size;
  }
  if (!fits) {
    return InvalidArgument("sliced l-value shape ", shape, " does not match r-value shape ",
                           value.shape(), ". Cannot broadcast input shape ", value.shape(),
                           " into final shape ", shape);
  }
  SLUICE_ASSIGN(Tensor spread, ctx.AllocateTemporary(value.dtype(), shape));
  SLUICE_RETURN_IF_ERROR(on.StridedCopy(ctx, value.dtype(), dims, value.raw(), spread.raw()));
  return spread;
}

absl::StatusOr<SliceWrite> SliceWrite::Make(KernelContext& ctx, const Primitives& on,
                                            const Shape& target, const SliceMasks& masks) {
  SliceWrite write;
  SLUICE_ASSIGN(write.plan,
                SlicePlan::Make(target, ctx.input(1), ctx.input(2), ctx.input(3), masks));
  SLUICE_ASSIGN(write.value, Spread(ctx, on, ctx.input(4), write.plan.shape));
  return write;
}

// The plan of a read with source and target exchanged.
absl::Status SliceWrite::Apply(KernelContext& ctx, const Primitives& on, Tensor& target) const {
  if (plan.shape.num_elements() == 0) return absl::OkStatus();
  CopyDims dims = plan.dims;
  for (CopyDim& d : dims) std::swap(d.from, d.to);
  void* to = static_cast<char*>(target.raw()) +
             plan.offset * static_cast<int64_t>(ElementSize(target.dtype()));
  return on.StridedCopy(ctx, target.dtype(), dims, value.raw(), to);
}

struct StridedSliceAssign {
  SliceMasks masks;
  const Primitives* on = nullptr;

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
    SLUICE_ASSIGN(const SliceWrite write,
                  SliceWrite::Make(ctx, *on, variable.value().shape(), masks));
    SLUICE_RETURN_IF_ERROR(variable.PrepareToWrite(ctx, *on));
    SLUICE_RETURN_IF_ERROR(write.Apply(ctx, *on, variable.value()));
    if (ctx.num_outputs() > 0) ctx.ForwardSlot(0, 0);
    return absl::OkStatus();
  }
};

struct TensorStridedSliceUpdate {
  SliceMasks masks;
  const Primitives* on = nullptr;

  static absl::StatusOr<TensorStridedSliceUpdate> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(SliceMasks masks, SliceMasks::Create(node));
    return TensorStridedSliceUpdate{masks};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const SliceWrite write, SliceWrite::Make(ctx, *on, ctx.input(0).shape(), masks));
    Tensor target = ctx.TakeInput(0);
    if (!OwnsBytes(target)) {
      SLUICE_ASSIGN(target, CopyHere(ctx, *on, target));
    }
    SLUICE_RETURN_IF_ERROR(write.Apply(ctx, *on, target));
    ctx.SetOutput(0, std::move(target));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterStridedSliceAssign(KernelRegistry& kernels, const Primitives& on) {
  const std::vector<TypeConstraint> types = {{"T", TypesButInt32On(on, kAnyType)},
                                             {"Index", kIndex}};
  AddOn<StridedSliceAssign>(kernels, on, "StridedSliceAssign", types,
                            HostMemory{"begin", "end", "strides"});
  AddOn<StridedSliceAssign>(kernels, on, "ResourceStridedSliceAssign", types,
                            HostMemory{"ref", "begin", "end", "strides"});
  AddOn<TensorStridedSliceUpdate>(kernels, on, "TensorStridedSliceUpdate", types,
                                  HostMemory{"begin", "end", "strides"});
  AddOnHost<TensorStridedSliceUpdate>(
      kernels, on, "TensorStridedSliceUpdate", {{"T", kInt32}, {"Index", kIndex}},
      HostMemory{"input", "begin", "end", "strides", "value", "output"});
}

}  // namespace sluice::kernels
