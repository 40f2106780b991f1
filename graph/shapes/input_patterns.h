// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_SHAPES_INPUT_PATTERNS_H_
#define SLUICE_GRAPH_SHAPES_INPUT_PATTERNS_H_

#include "graph/shape_inference.h"

namespace sluice::graph {

// INVALID_ARGUMENT names an input whose shape the op cannot take, as far as a table of patterns
// says: input_patterns.cc. Ops that are not in it take any. It comes before the op's shape function,
// which looks at what the table cannot say.
absl::Status CheckInputPatterns(const ShapeContext& c);

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_SHAPES_INPUT_PATTERNS_H_
