// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_PARSING_SEQUENCE_PARSER_H_
#define SLUICE_KERNELS_COMMON_PARSING_SEQUENCE_PARSER_H_

#include <string>
#include <vector>

#include "kernels/common/parsing/example_parser.h"

namespace sluice::kernels {

// What to read of SequenceExamples. The shapes of dense features have no variable dimension.
struct SequenceFeatures {
  ExampleFeatures context;
  ExampleFeatures lists;  // shapes are those of one row
};

struct ParsedSequences {
  ParsedFeatures context;
  ParsedFeatures lists;                   // of ragged ones, the splits of rows into values
  std::vector<Tensor> list_lengths;       // of dense lists: rows of each example
  std::vector<Tensor> list_outer_splits;  // of ragged lists: examples into rows
};

// Serialised SequenceExamples to tensors. If `batch`, tensors have a first dimension for the
// examples; else there is one example. Dense lists are padded with zeros or empty strings.
absl::StatusOr<ParsedSequences> ParseSequences(const SequenceFeatures& features,
                                               absl::Span<const std::string> serialized,
                                               absl::Span<const std::string> names, bool batch,
                                               Tensor::Making make);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_PARSING_SEQUENCE_PARSER_H_
