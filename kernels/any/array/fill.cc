// SPDX-License-Identifier: Apache-2.0
// Tensors with one value: Fill, ZerosLike, OnesLike.
#include "core/op/producer_version.h"
#include "kernels/any/array/register.h"
#include "kernels/common/axis.h"

namespace sluice::kernels {
namespace {

struct Fill {
  bool as_in_1x;
  const Primitives* on = nullptr;

  static absl::StatusOr<Fill> Create(const NodeSpec& node) { return Fill{IsFrom1x(node)}; }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& value = ctx.input(1);
    if (ctx.input(0).rank() != 1 && (as_in_1x || ctx.input(0).rank() > 1))
      return InvalidArgument("dims must be a vector, got shape ", ctx.input(0).shape());
    if (!IsScalarLike(value, as_in_1x))
      return InvalidArgument("value must be a scalar, got shape ", value.shape());
    SLUICE_ASSIGN(Shape::Dims sizes, IntVector(ctx.input(0)));
    SLUICE_ASSIGN(Shape shape, Shape::Create(sizes));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    return on->Repeat(ctx, value.dtype(), value.raw(), out->raw(), shape.num_elements());
  }
};

struct ZerosLike {
  const Primitives* on = nullptr;

  absl::Status Run(KernelContext& ctx) const {
    const DType dtype = ctx.input(0).dtype();
    const Shape shape = ctx.input(0).shape();
    if (!IsPlain(dtype)) {  // allocated strings are empty
      return ctx.AllocateOutput(0, shape).status();
    }
    SLUICE_ASSIGN(Tensor * out, ctx.ForwardOrAllocate({0}, 0, shape));
    return on->Zero(ctx, dtype, out->raw(), shape.num_elements());
  }
};

struct OnesLike {
  const Primitives* on = nullptr;

  absl::Status Run(KernelContext& ctx) const {
    const DType dtype = ctx.input(0).dtype();
    const Shape shape = ctx.input(0).shape();
    SLUICE_ASSIGN(Tensor * out, ctx.ForwardOrAllocate({0}, 0, shape));
    return VisitDType(Join<NumericTypes, TypeList<bool>>{}, dtype, [&]<typename T>(Type<T>) {
      const T one(1);
      return on->Fill(ctx, dtype, &one, out->raw(), shape.num_elements());
    });
  }
};

}  // namespace

void RegisterFill(KernelRegistry& kernels, const Primitives& on) {
  AddOn<Fill>(kernels, on, "Fill", {{"T", TypesButInt32On(on, kAnyType)}, {"index_type", kIndex}},
              HostMemory{"dims"});
  AddOnHost<Fill>(kernels, on, "Fill", {{"T", kInt32}, {"index_type", kIndex}},
                  HostMemory{"dims", "value", "output"});
  const DTypeSet zeros = TypesButInt32On(on, kPlain | DTypeSet(kString));
  AddOn<ZerosLike>(kernels, on, "ZerosLike", {{"T", zeros}});
  AddOnHost<ZerosLike>(kernels, on, "ZerosLike", {{"T", kInt32}}, HostMemory{"x", "y"});
  const DTypeSet ones = TypesButInt32On(on, kNumeric | DTypeSet(kBool));
  AddOn<OnesLike>(kernels, on, "OnesLike", {{"T", ones}});
  AddOnHost<OnesLike>(kernels, on, "OnesLike", {{"T", kInt32}}, HostMemory{"x", "y"});
}

}  // namespace sluice::kernels
