// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_RANDOM_RNG_ALGORITHM_H_
#define SLUICE_KERNELS_COMMON_RANDOM_RNG_ALGORITHM_H_

#include "core/runtime/kernel_context.h"

namespace sluice::kernels {

// The number of the only supported algorithm; 3 lets us choose.
constexpr int64_t kPhiloxAlgorithm = 1;
constexpr int64_t kAnyAlgorithm = 3;

// INVALID_ARGUMENT "Unsupported algorithm id" unless it is Philox.
absl::Status CheckAlgorithm(int64_t algorithm);
// The number in a scalar input.
absl::StatusOr<int64_t> AlgorithmOf(const KernelContext& ctx, int input);

// INVALID_ARGUMENT unless a variable can be a generator's state: a vector of int64.
absl::Status CheckStateVector(const Tensor& state);
// INVALID_ARGUMENT unless counter and key follow element `first`.
absl::Status CheckStateSize(const Tensor& state, int64_t first);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_RANDOM_RNG_ALGORITHM_H_
