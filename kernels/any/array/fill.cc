// SPDX-License-Identifier: Apache-2.0
// Tensors of one value: Fill, ZerosLike, OnesLike.
#include "core/runtime/kernel_registry.h"
#include "kernels/any/array/register.h"
#include "kernels/common/axis.h"
#include "kernels/common/strided_copy.h"

namespace sluice::kernels {
namespace {

struct Fill {
  bool as_in_1x;

  static absl::StatusOr<Fill> Create(const NodeSpec& node) {
    return Fill{GetAttrOr<bool>(node.attrs, "_as_in_1x", false)};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& value = ctx.input(1);
    if (ctx.input(0).rank() != 1 && (as_in_1x || ctx.input(0).rank() > 1))
      return InvalidArgument("dims must be a vector, got shape ", ctx.input(0).shape());
    if (!IsScalarLike(value, as_in_1x))
      return InvalidArgument("value must be a scalar, got shape ", value.shape());
    SLUICE_ASSIGN(Shape::Dims sizes, IntVector(ctx.input(0)));
    SLUICE_ASSIGN(Shape shape, Shape::Create(sizes));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    FillElements(ctx.pool(), value.dtype(), value.raw(), out->raw(), shape.num_elements());
    return absl::OkStatus();
  }
};

struct ZerosLike {
  absl::Status Run(KernelContext& ctx) const {
    const DType dtype = ctx.input(0).dtype();
    const Shape shape = ctx.input(0).shape();
    if (!IsPlain(dtype)) {  // allocated strings are empty
      return ctx.AllocateOutput(0, shape).status();
    }
    SLUICE_ASSIGN(Tensor * out, ctx.ForwardOrAllocate({0}, 0, shape));
    char* to = static_cast<char*>(out->raw());
    ParallelFor(ctx.pool(), static_cast<int64_t>(out->bytes()), 0.05,
                [&](int64_t begin, int64_t end) {
                  std::memset(to + begin, 0, static_cast<size_t>(end - begin));
                });
    return absl::OkStatus();
  }
};

struct OnesLike {
  absl::Status Run(KernelContext& ctx) const {
    const DType dtype = ctx.input(0).dtype();
    const Shape shape = ctx.input(0).shape();
    SLUICE_ASSIGN(Tensor * out, ctx.ForwardOrAllocate({0}, 0, shape));
    return VisitDType(Join<NumericTypes, TypeList<bool>>{}, dtype, [&]<typename T>(Type<T>) {
      const T one(1);
      FillElements(ctx.pool(), dtype, &one, out->raw(), shape.num_elements());
      return absl::OkStatus();
    });
  }
};

}  // namespace

void RegisterFill(KernelRegistry& kernels) {
  kernels.Add<Fill>("Fill", kCpu, {{"T", kAnyType}, {"index_type", kIndex}});
  kernels.Add<ZerosLike>("ZerosLike", kCpu, {{"T", kPlain | DTypeSet(kString)}});
  kernels.Add<OnesLike>("OnesLike", kCpu, {{"T", kNumeric | DTypeSet(kBool)}});
}

}  // namespace sluice::kernels
