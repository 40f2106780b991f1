// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_RANDOM_GENERATOR_STATE_H_
#define SLUICE_KERNELS_CPU_RANDOM_GENERATOR_STATE_H_

#include "core/runtime/kernel_context.h"
#include "kernels/common/philox.h"
#include "kernels/common/random/rng_algorithm.h"

namespace sluice::kernels {

// Takes `blocks` blocks from the stream whose state is a resource variable of int64: the counter
// (low, high) and the key, after the algorithm's number if `tagged`.
absl::StatusOr<Philox> TakeFromVariable(KernelContext& ctx, int input, bool tagged,
                                        uint64_t blocks);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_RANDOM_GENERATOR_STATE_H_
