// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/training/training_plan.h"

#include <algorithm>

#include "absl/strings/match.h"

namespace sluice::kernels {
namespace {

absl::StatusOr<int> InputOf(const NodeSpec& node, absl::string_view name) {
  SLUICE_ASSIGN(const NodeSpec::Range range, node.InputRange(name));
  return range.begin;
}

}  // namespace

absl::StatusOr<TrainingPlan> TrainingPlan::Of(const NodeSpec& node, bool sparse) {
  TrainingPlan plan;
  plan.optimizer = FindOptimizer(node.op);
  if (plan.optimizer == nullptr) return Unimplemented("unknown optimizer");
  SLUICE_ASSIGN(plan.dtype, node.Get<DType>("T"));
  for (absl::string_view name : plan.optimizer->scalars) {
    SLUICE_ASSIGN(const int input, InputOf(node, name));
    plan.scalars.push_back(input);
  }
  SLUICE_ASSIGN(plan.gradient, InputOf(node, sparse ? "grad" : plan.optimizer->gradient));
  if (sparse) {
    SLUICE_ASSIGN(plan.indices, InputOf(node, "indices"));
  }
  plan.reference = !absl::StartsWith(node.op, "Resource");
  plan.options.use_nesterov = GetAttrOr(node.attrs, "use_nesterov", false);
  plan.options.update_slots = GetAttrOr(node.attrs, "update_slots", true);
  plan.options.multiply_linear_by_lr = GetAttrOr(node.attrs, "multiply_linear_by_lr", false);
  plan.options.sparse = sparse;
  return plan;
}

absl::Status TrainingPlan::CheckScalars(const KernelContext& ctx) const {
  for (size_t i = 0; i < scalars.size(); ++i) {
    const Tensor& input = ctx.input(scalars[i]);
    if (input.rank() != 0)
      return InvalidArgument(optimizer->scalars[i], " is not a scalar: ", input.shape());
  }
  return absl::OkStatus();
}

absl::Status TrainingPlan::CheckDense(const Shape& var, const Shape& grad) const {
  if (grad == var) return absl::OkStatus();
  return InvalidArgument("var and ", optimizer->gradient, " do not have the same shape", var, " ",
                         grad);
}

absl::Status CheckTrainingRows(const Shape& var, const Shape& grad, const Shape& indices) {
  if (var.rank() < 1) return InvalidArgument("var must be at least 1 dimensional");
  if (indices.rank() != 1) return InvalidArgument("indices must be one-dimensional");
  for (int d = 1; d < std::max(var.rank(), grad.rank()); ++d) {
    if (d >= grad.rank() || d >= var.rank() || var.dim(d) != grad.dim(d)) {
      return InvalidArgument("var and grad must match in dimension ", d, ": ", var, " ", grad);
    }
  }
  if (grad.rank() < 1 || grad.dim(0) != indices.dim(0)) {
    return InvalidArgument("grad must be the same size as indices in the first dimension: ", grad,
                           " ", indices);
  }
  return absl::OkStatus();
}

}  // namespace sluice::kernels
