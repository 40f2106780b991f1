// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/quantized/level_range.h"

#include "kernels/common/round_each.h"

namespace sluice::kernels {

absl::StatusOr<LevelRange> LevelRange::Read(const KernelContext& ctx, int input) {
  for (int i : {input, input + 1}) {
    const Tensor& end = ctx.input(i);
    if (end.num_elements() != 1)
      return InvalidArgument("the end of a range must be a scalar, got ", end.shape(), " at input ",
                             i);
  }
  return LevelRange{*ctx.input(input).data<float>(), *ctx.input(input + 1).data<float>()};
}

absl::StatusOr<LevelRange> LevelRange::ReadScalars(const KernelContext& ctx, int input,
                                                   absl::string_view min_name,
                                                   absl::string_view max_name) {
  for (int i : {0, 1}) {
    const int rank = ctx.input(input + i).rank();
    if (rank == 0) continue;
    return InvalidArgument("`", i == 0 ? min_name : max_name, "` must be rank 0 but is rank ",
                           rank);
  }
  return Read(ctx, input);
}

absl::Status LevelRange::CheckNotEmpty(absl::string_view name) const {
  if (max > min) return absl::OkStatus();
  return InvalidArgument("max_", name, " must be larger than min_", name, ".");
}

void LevelRange::Write(KernelContext& ctx, int output) const {
  ctx.SetOutput(output, Tensor::Scalar(min));
  ctx.SetOutput(output + 1, Tensor::Scalar(max));
}

}  // namespace sluice::kernels
