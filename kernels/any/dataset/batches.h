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

// A GrowingBatch is made of its rows as they come: the memory of a row serves the next one. Rows
// that are padded, or large, are held until the batch is complete.
//
// Threads:  one at a time.
class GrowingBatch {
 public:
  // `options` outlives it.
  explicit GrowingBatch(const BatchOptions& options) : options_(options) {}

  int64_t rows() const { return rows_; }
  // Takes the values of `row`, which may be used again. An error is that of the batch: TensorFlow
  // reads all rows before it looks at them.
  // REQUIRES: the types of the rows before, and fewer rows than the size of the options.
  void Add(Element& row);
  // As BatchOf.
  absl::StatusOr<Element> Finish() &&;

 private:
  // The values of one component.
  struct Part {
    Shape shape;        // of the first row
    int64_t space = 0;  // rows of `values`
    Tensor values;
    absl::Status failed;
  };
  absl::Status AddTo(Part& part, size_t component, Tensor& value);

  const BatchOptions& options_;
  int64_t rows_ = 0;
  bool holds_ = false;
  std::vector<Part> parts_;
  std::vector<Element> held_;
};

// A data set of the batches of `input`.
RefPtr<const DataSet> MakeBatches(ElementSpec spec, RefPtr<const DataSet> input,
                                  BatchOptions options);
// INVALID_ARGUMENT unless it is positive.
absl::StatusOr<int64_t> BatchSizeInput(const KernelContext& ctx, int i);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_DATASET_BATCHES_H_
