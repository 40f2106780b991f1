// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_SOFTMAX_PLAN_H_
#define SLUICE_KERNELS_COMMON_SOFTMAX_PLAN_H_

#include "core/status.h"
#include "core/tensor/shape.h"

// What Softmax and the cross entropies check, on every device.

namespace sluice::kernels {

// INVALID_ARGUMENT for scalars.
absl::Status CheckSoftmax(const Shape& logits);

// A matrix operand that may be broadcast: scalars, rows and columns stretch.
struct MatrixStrides {
  int64_t row, col;
};

// Logits and labels that stretch to one matrix [rows, classes].
struct CrossEntropyPlan {
  Shape shape;
  MatrixStrides logits, labels;

  static absl::StatusOr<CrossEntropyPlan> Of(const Shape& logits, const Shape& labels);
};

// INVALID_ARGUMENT unless there is one label for each row of the logits.
absl::Status CheckSparseCrossEntropy(const Shape& logits, const Shape& labels);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_SOFTMAX_PLAN_H_
