// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_RANDOM_GENERATOR_STATE_H_
#define SLUICE_KERNELS_CPU_RANDOM_GENERATOR_STATE_H_

#include "core/runtime/kernel_context.h"
#include "kernels/common/philox.h"

namespace sluice::kernels {

// The number of the only supported algorithm; 3 lets us choose.
constexpr int64_t kPhiloxAlgorithm = 1;
constexpr int64_t kAnyAlgorithm = 3;

// INVALID_ARGUMENT "Unsupported algorithm id" unless it is Philox.
absl::Status CheckAlgorithm(int64_t algorithm);
// The number in a scalar input.
absl::StatusOr<int64_t> AlgorithmOf(const KernelContext& ctx, int input);

// Takes `blocks` blocks from the stream whose state is a resource variable of int64: the counter
// (low, high) and the key, after the algorithm's number if `tagged`.
absl::StatusOr<Philox> TakeFromVariable(KernelContext& ctx, int input, bool tagged,
                                        uint64_t blocks);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_RANDOM_GENERATOR_STATE_H_
