// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/rnn/rnn.h"

#include "kernels/cpu/common/layout.h"

namespace sluice::kernels {

absl::Status CheckInputs(const KernelContext& ctx, std::initializer_list<ExpectedInput> inputs) {
  for (const ExpectedInput& expected : inputs) {
    const Shape& shape = ctx.input(expected.index).shape();
    if (shape == expected.shape) continue;
    return InvalidArgument(expected.name, " must have shape ", expected.shape, ", but has ", shape);
  }
  return absl::OkStatus();
}

absl::StatusOr<FloatCell> FloatCell::Create(KernelContext& ctx, int first_input) {
  FloatCell cell(ctx);
  for (int i = first_input; i < ctx.num_inputs(); ++i) {
    SLUICE_ASSIGN(Tensor wide, ToFloat(ctx, ctx.input(i)));
    cell.inputs_.push_back(std::move(wide));
  }
  return cell;
}

absl::StatusOr<float*> FloatCell::Allocate(int output, const Shape& shape) {
  SLUICE_ASSIGN(Tensor * out, ctx_->AllocateOutput(output, shape));
  if (out->dtype() == kFloat) return out->mutable_data<float>();
  SLUICE_ASSIGN(Tensor wide, ctx_->AllocateTemporary(kFloat, shape));
  narrow_.push_back({std::move(wide), out});
  return narrow_.back().wide.mutable_data<float>();
}

absl::Status FloatCell::Finish() {
  for (Result& result : narrow_) {
    SLUICE_RETURN_IF_ERROR(FromFloat(*ctx_, result.wide, *result.out));
  }
  return absl::OkStatus();
}

}  // namespace sluice::kernels
