// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_NN_SOFTMAX_PLAN_H_
#define SLUICE_KERNELS_COMMON_NN_SOFTMAX_PLAN_H_

#include "core/status.h"
#include "core/tensor/shape.h"

// Checks of Softmax and the cross entropies, common to all devices.

namespace sluice::kernels {

// INVALID_ARGUMENT for scalars.
absl::Status CheckSoftmax(const Shape& logits);

// A matrix operand that may broadcast: scalars, rows and columns.
struct MatrixStrides {
  int64_t row, col;
};

// Logits and labels that broadcast to one matrix [rows, classes].
struct CrossEntropyPlan {
  Shape shape;
  MatrixStrides logits, labels;

  static absl::StatusOr<CrossEntropyPlan> Of(const Shape& logits, const Shape& labels);
};

// INVALID_ARGUMENT unless there is one label for each row of the logits.
absl::Status CheckSparseCrossEntropy(const Shape& logits, const Shape& labels);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_NN_SOFTMAX_PLAN_H_
