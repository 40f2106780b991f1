// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_QUANTIZED_MULTIPLY_LEVELS_H_
#define SLUICE_KERNELS_CPU_QUANTIZED_MULTIPLY_LEVELS_H_

#include "absl/functional/function_ref.h"
#include "core/runtime/kernel_context.h"

namespace sluice::kernels {

// A matrix of levels in memory and the way it is read. Its rows are `stride` elements apart.
struct LevelMatrix {
  const uint8_t* data;
  int64_t stride;
  bool transposed = false;
};

// Writes the values of one row of the left matrix, from which its zero is subtracted already. Any
// thread may call it.
using LevelRow = absl::FunctionRef<void(int64_t row, int32_t* values)>;

// out[m, n] = a[m, k] * (b[k, n] - zero_b). Products and sums have 32 bits, and wrap. Large
// products are sharded over the intra-op pool. RESOURCE_EXHAUSTED if there is too little memory for
// packing.
// REQUIRES: no size is negative.
absl::Status MultiplyLevels(KernelContext& ctx, int64_t m, int64_t n, int64_t k, LevelRow a,
                            const LevelMatrix& b, int32_t zero_b, int32_t* out);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_QUANTIZED_MULTIPLY_LEVELS_H_
