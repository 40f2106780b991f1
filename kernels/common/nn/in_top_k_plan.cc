// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/nn/in_top_k_plan.h"

#include "kernels/common/axis.h"
namespace sluice::kernels {

absl::StatusOr<InTopKPlan> InTopKPlan::Create(const NodeSpec& node) {
  if (node.op != "InTopK") return InTopKPlan{};
  SLUICE_ASSIGN(int64_t k, node.Get<int64_t>("k"));
  return InTopKPlan{k};
}

absl::StatusOr<int64_t> InTopKPlan::CheckInputs(const KernelContext& ctx) const {
  const Tensor &predictions = ctx.input(0), &targets = ctx.input(1);
  int64_t k = fixed_k;
  if (ctx.num_inputs() > 2) {
    if (ctx.input(2).rank() != 0)
      return InvalidArgument("k must be 0-D, got shape ", ctx.input(2).shape());
    k = IndexAt(ctx.input(2), 0);
  }
  if (predictions.rank() != 2) return InvalidArgument("predictions must be 2-dimensional");
  if (targets.rank() != 1) return InvalidArgument("targets must be 1-dimensional");
  if (predictions.dim(0) != targets.dim(0)) {
    return InvalidArgument("First dimension of predictions ", predictions.dim(0),
                           " must match length of targets ", targets.dim(0));
  }
  return k;
}

}  // namespace sluice::kernels
