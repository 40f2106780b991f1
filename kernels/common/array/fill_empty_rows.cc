// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/array/fill_empty_rows.h"

#include <vector>

#include "core/tensor/wrapping.h"
#include "core/threads/cancel_scope.h"

namespace sluice::kernels {

absl::Status FillEmptyRowsGrad::Run(KernelContext& ctx) const {
  const Tensor &reverse = ctx.input(0), &grad = ctx.input(1);
  if (reverse.rank() != 1)
    return InvalidArgument("reverse_index_map must be a vector, saw: ", reverse.shape());
  if (grad.rank() != 1) return InvalidArgument("grad_values must be a vector, saw: ", grad.shape());
  SLUICE_ASSIGN(Tensor * values, ctx.AllocateOutput(0, reverse.shape()));
  SLUICE_ASSIGN(Tensor * fallback, ctx.AllocateOutput(1, Shape{}));
  return VisitDType(NumericTypes{}, grad.dtype(), [&]<typename T>(Type<T>) -> absl::Status {
    std::vector<bool> seen(grad.dim(0), false);
    for (const int64_t i : Cancellable(reverse.dim(0))) {
      const int64_t at = reverse.data<int64_t>()[i];
      if (at < 0 || at >= grad.dim(0)) {
        return InvalidArgument("Elements in reverse index must be in [0, ", grad.dim(0),
                               ") but got ", at);
      }
      values->mutable_data<T>()[i] = grad.data<T>()[at];
      seen[at] = true;
    }
    ComputeType<T> sum{};
    for (const int64_t i : Cancellable(grad.dim(0))) {
      if (!seen[i]) sum = SumOf(sum, static_cast<ComputeType<T>>(grad.data<T>()[i]));
    }
    *fallback->mutable_data<T>() = static_cast<T>(sum);
    return absl::OkStatus();
  });
}

}  // namespace sluice::kernels
