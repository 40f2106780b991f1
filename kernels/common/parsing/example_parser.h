// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_PARSING_EXAMPLE_PARSER_H_
#define SLUICE_KERNELS_COMMON_PARSING_EXAMPLE_PARSER_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "core/tensor/tensor.h"
#include "core/threads/thread_pool.h"

// Serialised Examples to tensors. The bytes are read straight into the tensors, without messages.
// Dtypes of features are float, int64 and string.

namespace sluice::kernels {

// A feature with the same shape in every example. If its first dimension is variable, shorter
// examples of a batch are padded.
struct DenseFeature {
  absl::string_view key;
  DType dtype = kInvalid;
  PartialShape shape;  // as the user stated it, for error texts
  Shape row;           // the same without the variable dimension
  // In every example, unless this is variable; then it is one element, the padding. Without
  // elements, the feature is required. In a list of features: not used.
  Tensor default_value;
  bool variable_length = false;  // in a list of features: missing means empty
};

struct SparseFeature {
  absl::string_view key;
  DType dtype = kInvalid;
};

struct RaggedFeature {
  absl::string_view key;
  DType dtype = kInvalid;
  DType splits = kInt64;
};

// What to read. The keys outlive it.
struct ExampleFeatures {
  std::vector<DenseFeature> dense;
  std::vector<SparseFeature> sparse;
  std::vector<RaggedFeature> ragged;
};

// Tensors by feature.
struct ParsedFeatures {
  std::vector<Tensor> dense;
  std::vector<Tensor> sparse_indices, sparse_values, sparse_shapes;
  std::vector<Tensor> ragged_values, ragged_splits;
};

// How many features and values an example has.
struct ExampleCounts {
  int64_t features = 0;  // also those that are not read
  int64_t values = 0;    // of the features that are read
};

// Sets shape, row and variable_length. INVALID_ARGUMENT if an inner dimension is unknown.
absl::Status SetShape(const PartialShape& shape, size_t index, DenseFeature* feature);
// INVALID_ARGUMENT if the default value does not fit the feature's shape.
absl::Status CheckDefault(const DenseFeature& feature, size_t index);

// A batch: dense tensors have a first dimension for the examples. `names` are for error texts, and
// may be empty. `make` allocates; this thread calls it. Large batches are split over the pool.
// `counts`, by example, may be null.
// INVALID_ARGUMENT for malformed bytes and for examples that lack a required feature.
absl::StatusOr<ParsedFeatures> ParseExamples(const ExampleFeatures& features,
                                             absl::Span<const std::string> serialized,
                                             absl::Span<const std::string> names, WorkQueue* pool,
                                             Tensor::Making make,
                                             std::vector<ExampleCounts>* counts = nullptr);

// One example: dense tensors have only the feature's dimensions, and sparse ones one dimension. The
// splits of ragged ones are empty.
absl::StatusOr<ParsedFeatures> ParseOneExample(const ExampleFeatures& features,
                                               const std::string& serialized, Tensor::Making make);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_PARSING_EXAMPLE_PARSER_H_
