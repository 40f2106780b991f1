// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_COMMON_GEMM_H_
#define SLUICE_KERNELS_CPU_COMMON_GEMM_H_

#include <cstdint>

#include "absl/status/status.h"
#include "core/threads/thread_pool.h"

namespace sluice::kernels {

// One operand of a product: a row-major matrix in memory, with rows `stride` elements apart, and
// the way it is read.
template <typename T>
struct Operand {
  const T* data;
  int64_t stride;
  bool transposed = false;
  bool conjugated = false;
};

// c[m, n] = a[m, k] * b[k, n]; the sizes are those after the transpositions. Rows of c are `ldc`
// elements apart. With `accumulate` the product is added to c. Large products are sharded over
// `pool` (null: they run on this thread).
//
// T: float (oneDNN), double, the integers int32, int64 (they wrap), Complex64, Complex128; Half and
// Bfloat16 are computed in float. RESOURCE_EXHAUSTED if there is too little memory for packing.
template <typename T>
absl::Status Gemm(WorkQueue* pool, int64_t m, int64_t n, int64_t k, const Operand<T>& a,
                  const Operand<T>& b, T* c, int64_t ldc, bool accumulate = false);

// Makes oneDNN calls from this thread use only this thread. Call it before a primitive runs.
void UseOneOpenMpThread();

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_COMMON_GEMM_H_
