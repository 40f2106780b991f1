// SPDX-License-Identifier: Apache-2.0
// Gradients of ops of ragged tensors.
#include "graph/gradients/node_gradient.h"

namespace sluice::graph {
namespace {

// The same gather, applied to the rows' numbers, gives the rows of the values that were read.
void RaggedGather(NodeGradient& g) {
  const int values = g.num_inputs() - 2;  // after their splits, before the indices
  const Output shape = g.b.ShapeOf(g.in(values));
  const Output count = g.Op("StridedSlice", {shape, g.b.Ints({0}), g.b.Ints({1}), g.b.Ints({1})},
                            {{"shrink_axis_mask", 1}});
  std::vector<Output> inputs;
  for (int i = 0; i < values; ++i) inputs.push_back(g.in(i));
  inputs.push_back(g.Op("Range", {g.b.Int(0), count, g.b.Int(1)}));
  inputs.push_back(g.in(values + 1));
  const std::vector<Output> rows =
      g.b.Ops("RaggedGather", inputs, g.attrs({"PARAMS_RAGGED_RANK", "OUTPUT_RAGGED_RANK"}));
  if (rows.empty()) return;
  g.Set(values, GradientOutput{g.grad(g.node.num_outputs() - 1), rows.back(), shape});
}

void RaggedTensorToSparse(NodeGradient& g) {
  const int values = g.num_inputs() - 1;
  g.Set(values, g.Op("Reshape", {g.grad(1), g.b.ShapeOf(g.in(values))}));
}

}  // namespace

void AddRaggedGradients(GradientTable& table) {
  table["RaggedFillEmptyRows"] = FillEmptyRows;
  table["RaggedGather"] = RaggedGather;
  table["RaggedTensorToSparse"] = RaggedTensorToSparse;
}

}  // namespace sluice::graph
