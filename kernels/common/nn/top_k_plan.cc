// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/nn/top_k_plan.h"

#include <limits>

#include "core/op/attr.h"
#include "core/runtime/kernel_context.h"
#include "kernels/common/axis.h"

namespace sluice::kernels {

absl::StatusOr<TopKPlan> TopKPlan::Create(const NodeSpec& node) {
  TopKPlan plan{GetAttrOr<bool>(node.attrs, "sorted", true)};
  if (node.op == "TopK" || node.op == "ApproxTopK") {
    SLUICE_ASSIGN(plan.fixed_k, node.Get<int64_t>("k"));
  }
  return plan;
}

absl::StatusOr<TopKPlan::Sizes> TopKPlan::CheckInputs(const KernelContext& ctx) const {
  const Shape& x = ctx.input(0).shape();
  int64_t k = fixed_k;
  if (ctx.num_inputs() > 1) {
    if (ctx.input(1).rank() != 0)
      return InvalidArgument("k must be scalar, got shape ", ctx.input(1).shape());
    k = IndexAt(ctx.input(1), 0);
  }
  if (k < 0) return InvalidArgument("Need k >= 0, got ", k);
  if (x.rank() < 1) return InvalidArgument("input must be >= 1-D, got shape ", x);
  const int64_t n = x.dim(x.rank() - 1);
  if (n < k) return InvalidArgument("input must have at least k columns. Had ", n, ", needed ", k);
  if (n > std::numeric_limits<int32_t>::max())
    return InvalidArgument("rows of ", n, " elements are too long");
  Shape output = x;
  output.SetDim(x.rank() - 1, k);
  return Sizes{k, n, std::move(output)};
}

}  // namespace sluice::kernels
