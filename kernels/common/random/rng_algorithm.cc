// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/random/rng_algorithm.h"

namespace sluice::kernels {

absl::Status CheckAlgorithm(int64_t algorithm) {
  if (algorithm == kPhiloxAlgorithm || algorithm == kAnyAlgorithm) return absl::OkStatus();
  return InvalidArgument("Unsupported algorithm id: ", algorithm);
}

absl::StatusOr<int64_t> AlgorithmOf(const KernelContext& ctx, int input) {
  const Tensor& algorithm = ctx.input(input);
  if (algorithm.rank() != 0)
    return InvalidArgument("input ", input, " (0-based) must have shape [], not ",
                           algorithm.shape());
  return IntScalar(algorithm);
}

}  // namespace sluice::kernels
