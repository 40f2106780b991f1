// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_RANDOM_MULTINOMIAL_PLAN_H_
#define SLUICE_KERNELS_COMMON_RANDOM_MULTINOMIAL_PLAN_H_

#include "core/runtime/kernel_context.h"

namespace sluice::kernels {

// The rules of Multinomial and StatelessMultinomial, on every device. The number of samples is in
// host memory.

// Checks the inputs and allocates the output, [batch, samples].
absl::StatusOr<Tensor*> MultinomialOutput(KernelContext& ctx);
// The cost of a row: each share of the rows has its own blocks of the stream.
double MultinomialCycles(int64_t classes, int64_t samples);
// The blocks that TensorFlow reserves for an output.
uint64_t MultinomialBlocks(const Shape& output);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_RANDOM_MULTINOMIAL_PLAN_H_
