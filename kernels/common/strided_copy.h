// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_STRIDED_COPY_H_
#define SLUICE_KERNELS_COMMON_STRIDED_COPY_H_

#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "core/tensor/tensor.h"
#include "core/threads/thread_pool.h"

namespace sluice::kernels {

// One loop of a copy: `size` steps. Each step advances by so many elements in the source (0:
// repeat, negative: backwards) and in the target.
struct CopyDim {
  int64_t size;
  int64_t from;
  int64_t to;
};
using CopyDims = absl::InlinedVector<CopyDim, 8>;

// Copies elements of any dtype: to[sum i_d * dims[d].to] = from[sum i_d * dims[d].from].
// Transposes, slices, tiles, paddings, concatenations and reversals are such copies.
//
// REQUIRES: the buffers do not overlap; every index lies within them; each target element is
// written at most once.
void StridedCopy(WorkQueue* pool, DType dtype, CopyDims dims, const void* from, void* to);

// Drops loops of one step, and joins neighbours with matching strides. At least one loop is left.
// REQUIRES: every size > 0
void SimplifyCopy(CopyDims& dims);

// The strides of a dense row-major tensor.
Shape::Dims DenseStrides(const Shape& shape);

// Sets n elements to the value at `value`.
void FillElements(WorkQueue* pool, DType dtype, const void* value, void* to, int64_t n);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_STRIDED_COPY_H_
