// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_COMMON_GEMM_H_
#define SLUICE_KERNELS_CPU_COMMON_GEMM_H_

#include <cstdint>

#include "absl/status/status.h"
#include "core/threads/thread_pool.h"

namespace sluice::kernels {

// One operand of a product: a row-major matrix as it lies in memory, rows `stride` elements apart,
// and how it is read.
template <typename T>
struct Operand {
  const T* data;
  int64_t stride;
  bool transposed = false;
  bool conjugated = false;
};

// c[m, n] = a[m, k] * b[k, n], sizes being those after the transpositions; rows of c lie `ldc`
// apart. With `accumulate` the product is added to c. Large products are shared among `pool` (null:
// this thread alone does it).
//
// T: float (oneDNN), double, the integers int32, int64 (they wrap), Complex64, Complex128; Half and
// Bfloat16 are computed in float. RESOURCE_EXHAUSTED when memory for packing is short.
template <typename T>
absl::Status Gemm(WorkQueue* pool, int64_t m, int64_t n, int64_t k, const Operand<T>& a,
                  const Operand<T>& b, T* c, int64_t ldc, bool accumulate = false);

// oneDNN calls from this thread use no threads of their own. Call before executing a primitive.
void UseOneOpenMpThread();

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_COMMON_GEMM_H_
