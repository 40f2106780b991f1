// SPDX-License-Identifier: Apache-2.0
// AddN and AccumulateNV2: the sum of many tensors of one shape.
#include "kernels/cuda/math/addn.h"

#include <vector>

#include "core/runtime/kernel_registry.h"
#include "kernels/common/math_plan.h"
#include "kernels/cuda/common/kernel.h"
#include "kernels/cuda/math/register.h"

namespace sluice::kernels {
namespace {

struct AddN {
  std::string label;  // for errors

  static absl::StatusOr<AddN> Create(const NodeSpec& node) { return AddN{NodeLabel(node)}; }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_RETURN_IF_ERROR(CheckSameShapes(label, ctx));
    const int count = ctx.num_inputs();
    if (count == 1) {
      ctx.ForwardSlot(0, 0);
      return absl::OkStatus();
    }
    const Shape shape = ctx.input(0).shape();
    std::vector<const void*> inputs(count);
    for (int i = 0; i < count; ++i) inputs[i] = ctx.input(i).raw();
    const Element element = ElementOf(ctx.input(0).dtype());
    SLUICE_ASSIGN(Tensor * sum, ctx.ForwardOrAllocate({0}, 0, shape));
    return Launched(cuda::LaunchAddN(element, inputs.data(), count, sum->raw(),
                                     shape.num_elements(), StreamOf(ctx)));
  }
};

}  // namespace

void RegisterCudaAddN(KernelRegistry& kernels) {
  const std::vector<TypeConstraint> types{{"T", kFloating | kComplex | DTypeSet{kInt64}}};
  kernels.Add<AddN>("AddN", kGpu, types);
  kernels.Add<AddN>("AccumulateNV2", kGpu, types);
}

}  // namespace sluice::kernels
