// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/nn/bias_plan.h"

namespace sluice::kernels {
namespace {

absl::Status CheckInput(const Shape& in) {
  if (in.rank() >= 2) return absl::OkStatus();
  return InvalidArgument("Input tensor must be at least 2D: ", in);
}

// REQUIRES: rank >= 2
BiasPlan PlanOf(const Shape& shape, bool channels_first) {
  const int at = channels_first ? 1 : shape.rank() - 1;
  BiasPlan plan;
  for (int d = 0; d < at; ++d) plan.outer *= shape.dim(d);
  plan.channels = shape.dim(at);
  for (int d = at + 1; d < shape.rank(); ++d) plan.inner *= shape.dim(d);
  return plan;
}

}  // namespace

absl::StatusOr<BiasPlan> BiasPlan::OfAdd(const Shape& in, const Shape& bias, bool channels_first) {
  SLUICE_RETURN_IF_ERROR(CheckInput(in));
  if (bias.rank() != 1) return InvalidArgument("Biases must be 1D: ", bias);
  const BiasPlan plan = PlanOf(in, channels_first);
  if (bias.dim(0) == plan.channels) return plan;
  return InvalidArgument("Must provide as many biases as the ",
                         channels_first ? "channel dimension" : "last dimension",
                         " of the input tensor: ", bias, " vs. ", in);
}

absl::StatusOr<BiasPlan> BiasPlan::OfGrad(const Shape& in, bool channels_first) {
  SLUICE_RETURN_IF_ERROR(CheckInput(in));
  return PlanOf(in, channels_first);
}

}  // namespace sluice::kernels
