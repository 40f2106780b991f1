// SPDX-License-Identifier: Apache-2.0
// Choice between elements: Select, SelectV2, ClipByValue.
#include "kernels/cuda/math/select.h"

#include "core/runtime/kernel_registry.h"
#include "kernels/common/math_plan.h"
#include "kernels/cuda/common/device_data.h"
#include "kernels/cuda/common/kernel.h"
#include "kernels/cuda/common/layout_of.h"
#include "kernels/cuda/math/register.h"

namespace sluice::kernels {
namespace {

absl::Status Choose(KernelContext& ctx, const BroadcastPlan& plan) {
  const bool* condition = DeviceData<bool>(ctx.input(0));
  const void* then = ctx.input(1).raw();
  const void* otherwise = ctx.input(2).raw();
  const auto size = static_cast<int>(SizeOf(ctx.input(1).dtype()));
  SLUICE_ASSIGN(Tensor * out, ctx.ForwardOrAllocate({1, 2}, 0, plan.shape));
  if (plan.shape.num_elements() == 0) return absl::OkStatus();
  return Launched(cuda::LaunchSelect(size, condition, then, otherwise, out->raw(),
                                     LayoutOf<3>(plan), StreamOf(ctx)));
}

struct SelectV2 {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const BroadcastPlan plan,
                  PlanSelectV2(ctx.input(0).shape(), ctx.input(1).shape(), ctx.input(2).shape()));
    return Choose(ctx, plan);
  }
};

struct Select {
  std::string label;  // for errors

  static absl::StatusOr<Select> Create(const NodeSpec& node) { return Select{NodeLabel(node)}; }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const BroadcastPlan plan, PlanSelect(label, ctx.input(0).shape(),
                                                       ctx.input(1).shape(), ctx.input(2).shape()));
    return Choose(ctx, plan);
  }
};

struct ClipByValue {
  absl::Status Run(KernelContext& ctx) const {
    const Shape shape = ctx.input(0).shape();
    const Tensor &low = ctx.input(1), &high = ctx.input(2);
    SLUICE_RETURN_IF_ERROR(CheckClip(shape, low.shape(), high.shape()));
    const void* x = ctx.input(0).raw();
    const Element element = ElementOf(ctx.input(0).dtype());
    SLUICE_ASSIGN(Tensor * out, ctx.ForwardOrAllocate({0}, 0, shape));
    return Launched(cuda::LaunchClip(element, x, low.raw(), low.rank() == 0, high.raw(),
                                     high.rank() == 0, out->raw(), shape.num_elements(),
                                     StreamOf(ctx)));
  }
};

}  // namespace

void RegisterCudaSelect(KernelRegistry& kernels) {
  constexpr DTypeSet kChosen = kNumeric | DTypeSet{kBool};
  kernels.Add<Select>("Select", kGpu, {{"T", kChosen}});
  kernels.Add<SelectV2>("SelectV2", kGpu, {{"T", kChosen}});
  kernels.Add<ClipByValue>("ClipByValue", kGpu,
                           {{"T", kFloating | DTypeSet{kInt8, kInt16, kInt64, kUint8, kUint16}}});
}

}  // namespace sluice::kernels
