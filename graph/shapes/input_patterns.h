// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_SHAPES_INPUT_PATTERNS_H_
#define SLUICE_GRAPH_SHAPES_INPUT_PATTERNS_H_

#include "graph/shape_inference.h"

namespace sluice::graph {

// INVALID_ARGUMENT names an input whose shape the op cannot accept, by a table of patterns
// (input_patterns.cc). Ops without a row accept any shape. This check runs before the op's shape
// function, which checks the rules that the table cannot express.
absl::Status CheckInputPatterns(const ShapeContext& c);

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_SHAPES_INPUT_PATTERNS_H_
