// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_DATASET_BATCHES_H_
#define SLUICE_KERNELS_ANY_DATASET_BATCHES_H_

#include <optional>
#include <vector>

#include "kernels/common/dataset/data_set.h"

namespace sluice::kernels {

// The shapes that the components of a batch's elements are filled up to, and the scalars that they
// are filled with. An unknown size becomes the largest in the batch.
struct Padding {
  std::vector<PartialShape> shapes;
  Element values;
};

// How the shapes of a batch's elements must agree if nothing is padded.
enum class RowShapes { kEqual, kEqualCounts };

// The batch of `rows`: each component has one dimension more. Without padding, all elements must
// have the same shapes, or as many values as the first one, whose shape the batch has.
// REQUIRES: at least one row.
// Errors: INVALID_ARGUMENT with TensorFlow's texts; RESOURCE_EXHAUSTED.
absl::StatusOr<Element> BatchOf(std::vector<Element> rows, const Padding* padding,
                                RowShapes shapes = RowShapes::kEqual);

struct BatchOptions {
  int64_t size = 1;
  bool drop_remainder = false;
  bool counts_errors = false;  // an error is a row too, and takes the place of its batch
  RowShapes shapes = RowShapes::kEqual;
  std::optional<Padding> padding;  // none: all elements of a batch have one shape
};

// A data set of the batches of `input`.
RefPtr<const DataSet> MakeBatches(ElementSpec spec, RefPtr<const DataSet> input,
                                  BatchOptions options);
// INVALID_ARGUMENT unless it is positive.
absl::StatusOr<int64_t> BatchSizeInput(const KernelContext& ctx, int i);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_DATASET_BATCHES_H_
