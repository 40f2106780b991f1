// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_TENSOR_ROWS_H_
#define SLUICE_KERNELS_COMMON_TENSOR_ROWS_H_

#include "core/tensor/tensor.h"

namespace sluice::kernels {

// Makes `tensor` one of that type and shape in host memory, to be written. It keeps its memory if it
// fits and nothing else holds it. Errors: RESOURCE_EXHAUSTED.
absl::Status MakeWritable(Tensor& tensor, DType type, const Shape& shape);

// Row `row` of dimension 0 with its own bytes in host memory: what is kept for long must not keep
// the whole tensor.
// REQUIRES: rank >= 1, 0 <= row < dim(0).
absl::StatusOr<Tensor> CopyOfRow(const Tensor& tensor, int64_t row);
// The same, made in `to` as by MakeWritable.
absl::Status CopyRow(const Tensor& tensor, int64_t row, Tensor& to);

// Copies `element` into row `row` of a batch whose rows are at least as large in every dimension.
// REQUIRES: one dtype, host memory, and one dimension more in the batch.
void CopyIntoRow(const Tensor& element, int64_t row, const Tensor& batch);

// The same; strings whose memory only `element` refers to are moved. It keeps the memory, with
// unspecified strings.
void MoveIntoRow(Tensor& element, int64_t row, const Tensor& batch);

// A tensor of `rows` rows whose first ones are those of `from`, as many as both have. Strings are
// moved; further rows are not set.
// REQUIRES: rank >= 1, and nobody else refers to `from`.
absl::StatusOr<Tensor> WithRows(Tensor from, int64_t rows);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_TENSOR_ROWS_H_
