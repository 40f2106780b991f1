// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_MATH_REDUCTION_H_
#define SLUICE_KERNELS_CPU_MATH_REDUCTION_H_

#include <array>
#include <cstdint>

#include "kernels/common/elementwise.h"
#include "kernels/common/math_plan.h"

namespace sluice::kernels {

// Loops that reduce elements of one dtype to one element, behind plain function pointers, so that
// walking the axes is written once. The templates of reduce_loops.h make them.
struct Reducer {
  size_t accumulator_size = 0;
  void (*start)(void* acc, int64_t n) = nullptr;               // initialises n empty accumulators
  void (*run)(void* acc, const void* x, int64_t n) = nullptr;  // adds n elements to one accumulator
  // Accumulator r takes the n elements from x[r * stride] on; r < lines.
  void (*lines)(void* acc, const void* x, int64_t lines, int64_t stride, int64_t n) = nullptr;
  // Accumulator j takes x[r * stride + j] for every row r; j < n.
  void (*rows)(void* acc, const void* x, int64_t rows, int64_t stride, int64_t n) = nullptr;
  void (*merge)(void* acc, const void* other, int64_t n) = nullptr;
  // Makes the results. Each accumulator has taken `count` elements.
  void (*finish)(const void* acc, void* out, int64_t n, int64_t count) = nullptr;
};

struct ReductionOp {
  const char* name = "";
  std::array<Reducer, kNumDTypes> reducers;
};

// A kernel (input, reduction_indices) -> output with the attribute keep_dims. `int32_on_host`: on a
// GPU, int32 is reduced in host memory, as in TensorFlow.
void AddReduction(KernelRegistry& kernels, const ReductionOp& op, bool int32_on_host = false);

// Reduces x, of shape `shape`, over the marked axes into `out`. The order of additions depends only
// on the shape, not on the number of threads.
void Reduce(WorkQueue* pool, const Reducer& reducer, DType dtype, const Shape& shape,
            absl::Span<const bool> reduced, const void* x, void* out);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_MATH_REDUCTION_H_
