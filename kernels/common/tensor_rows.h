// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_TENSOR_ROWS_H_
#define SLUICE_KERNELS_COMMON_TENSOR_ROWS_H_

#include "core/tensor/tensor.h"

namespace sluice::kernels {

// Row `row` of dimension 0 with its own bytes in host memory: what is kept for long must not keep
// the whole tensor.
// REQUIRES: rank >= 1, 0 <= row < dim(0).
absl::StatusOr<Tensor> CopyOfRow(const Tensor& tensor, int64_t row);

// Copies `element` into row `row` of a batch whose rows are at least as large in every dimension.
// REQUIRES: one dtype, host memory, and one dimension more in the batch.
void CopyIntoRow(const Tensor& element, int64_t row, const Tensor& batch);

// The same; what only `element` refers to is moved, so that no string is copied.
void MoveIntoRow(Tensor element, int64_t row, const Tensor& batch);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_TENSOR_ROWS_H_
