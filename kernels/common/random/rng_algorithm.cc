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

absl::Status CheckStateVector(const Tensor& state) {
  if (state.dtype() != kInt64)
    return InvalidArgument("dtype of RNG state variable must be int64, not ", state.dtype());
  if (state.rank() != 1)
    return InvalidArgument("RNG state must have one and only one dimension, not ", state.rank());
  return absl::OkStatus();
}

absl::Status CheckStateSize(const Tensor& state, int64_t first) {
  if (state.dim(0) >= first + 3) return absl::OkStatus();
  return InvalidArgument("For the Philox algorithm, the size of state must be at least ", first + 3,
                         "; got ", state.dim(0));
}

}  // namespace sluice::kernels
