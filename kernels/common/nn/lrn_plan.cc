// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/nn/lrn_plan.h"

namespace sluice::kernels {

absl::StatusOr<LrnPlan> LrnPlan::Create(const NodeSpec& node) {
  LrnPlan made;
  SLUICE_ASSIGN(made.radius, node.Get<int64_t>("depth_radius"));
  SLUICE_ASSIGN(made.bias, node.Get<float>("bias"));
  SLUICE_ASSIGN(made.alpha, node.Get<float>("alpha"));
  SLUICE_ASSIGN(made.beta, node.Get<float>("beta"));
  if (made.radius < 0) return InvalidArgument("depth_radius = ", made.radius, " is negative");
  return made;
}

absl::Status LrnPlan::CheckInput(const KernelContext& ctx) {
  const Shape& in = ctx.input(0).shape();
  return in.rank() == 4 ? absl::OkStatus() : InvalidArgument("in must be 4-dimensional, got ", in);
}

absl::Status LrnPlan::CheckGradients(const KernelContext& ctx) {
  const Shape& shape = ctx.input(0).shape();
  if (shape.rank() != 4) return InvalidArgument("in must be 4-dimensional, got ", shape);
  if (!(ctx.input(1).shape() == shape) || !(ctx.input(2).shape() == shape)) {
    return InvalidArgument(
        "input_grads, input_image, and out_image should have the same shape, got ", shape, ", ",
        ctx.input(1).shape(), " and ", ctx.input(2).shape());
  }
  return absl::OkStatus();
}

}  // namespace sluice::kernels
