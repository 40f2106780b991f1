// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_SHAPES_STRIDED_SLICE_H_
#define SLUICE_GRAPH_SHAPES_STRIDED_SLICE_H_

#include <optional>

#include "graph/shape_inference.h"

namespace sluice::graph {

// The result of a StridedSlice (input, begin, end, strides and the five masks). Slices clamp to the
// input; an index that removes its dimension must lie inside.
struct StridedSlice {
  PartialShape shape;  // of the result
  // For an input of rank 1: the elements [begin, begin + stride, ...), `count` of them; count is -1
  // if unknown.
  int64_t begin = 0, stride = 1, count = -1;
};

// nullopt if even the result's rank is unknown.
absl::StatusOr<std::optional<StridedSlice>> ReadStridedSlice(const ShapeContext& c);

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_SHAPES_STRIDED_SLICE_H_
