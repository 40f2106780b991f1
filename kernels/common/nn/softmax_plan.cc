// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/nn/softmax_plan.h"

#include "kernels/common/broadcast.h"

namespace sluice::kernels {
namespace {

// REQUIRES: the shape has rank <= 2 and is compatible with the matrix.
MatrixStrides StridesOf(const Shape& shape) {
  const int64_t cols = shape.rank() < 1 ? 1 : shape.dim(shape.rank() - 1);
  const int64_t rows = shape.rank() < 2 ? 1 : shape.dim(0);
  return {rows == 1 ? 0 : cols, cols == 1 ? 0 : 1};
}

absl::StatusOr<Shape> BroadcastMatrix(const Shape& logits, const Shape& labels) {
  const auto shape = BroadcastShape(logits, labels);
  if (!shape.ok()) {
    return InvalidArgument("logits and labels must be broadcastable: logits_size=", logits,
                           " labels_size=", labels);
  }
  if (shape->rank() != 2) {
    return InvalidArgument(
        "logits and labels must be either 2-dimensional, or broadcasted to be 2-dimensional, got ",
        logits, " and ", labels);
  }
  return shape;
}

}  // namespace

absl::Status CheckSoftmax(const Shape& logits) {
  if (logits.rank() >= 1) return absl::OkStatus();
  return InvalidArgument("logits must have >= 1 dimension, got ", logits);
}

absl::StatusOr<CrossEntropyPlan> CrossEntropyPlan::Of(const Shape& logits, const Shape& labels) {
  SLUICE_ASSIGN(Shape shape, BroadcastMatrix(logits, labels));
  return CrossEntropyPlan{std::move(shape), StridesOf(logits), StridesOf(labels)};
}

absl::Status CheckSparseCrossEntropy(const Shape& logits, const Shape& labels) {
  if (logits.rank() != 2) {
    return InvalidArgument("logits must be 2-D, but got shape ", logits);
  }
  if (labels.rank() != 1) {
    return InvalidArgument("labels must be 1-D, but got shape ", labels);
  }
  if (labels.dim(0) != logits.dim(0)) {
    return InvalidArgument(
        "logits and labels must have the same first dimension, got logits shape ", logits,
        " and labels shape ", labels);
  }
  if (logits.dim(1) == 0) {
    return InvalidArgument("Must have at least one class, but got logits shape ", logits);
  }
  return absl::OkStatus();
}

}  // namespace sluice::kernels
