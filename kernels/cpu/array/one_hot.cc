// SPDX-License-Identifier: Apache-2.0
// OneHot.
#include "core/runtime/kernel_registry.h"
#include "core/tensor/variant.h"
#include "kernels/common/array/one_hot_plan.h"
#include "kernels/common/axis.h"
#include "kernels/common/elementwise.h"
#include "kernels/common/strided_copy.h"
#include "kernels/cpu/array/register.h"

namespace sluice::kernels {
namespace {

// An index out of range gives a row of off_value.
struct OneHot {
  int64_t axis;

  static absl::StatusOr<OneHot> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(int64_t axis, node.Get<int64_t>("axis"));
    return OneHot{axis};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &indices = ctx.input(0), &on = ctx.input(2), &off = ctx.input(3);
    SLUICE_ASSIGN(const OneHotPlan plan,
                  OneHotPlan::Make(indices.shape(), ctx.input(1), on.shape(), off.shape(), axis));
    const Shape& shape = plan.shape;
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    FillElements(ctx.pool(), on.dtype(), off.raw(), out->raw(), shape.num_elements());
    const int64_t inner = plan.inner, depth = plan.depth;
    return VisitWidth(on.dtype(), [&]<typename T>(Type<T>) {
      T* to = out->mutable_data<T>();
      for (int64_t i = 0; i < indices.num_elements(); ++i) {
        const int64_t index = IndexAt(indices, i);
        if (index >= 0 && index < depth)
          to[(i / inner * depth + index) * inner + i % inner] = *on.data<T>();
      }
      return absl::OkStatus();
    });
  }
};

}  // namespace

void RegisterOneHot(KernelRegistry& kernels) {
  kernels.Add<OneHot>("OneHot", kCpu, {{"T", kAnyType}, {"TI", {kUint8, kInt8, kInt32, kInt64}}});
}

}  // namespace sluice::kernels
