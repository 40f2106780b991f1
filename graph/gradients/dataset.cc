// SPDX-License-Identifier: Apache-2.0
// Gradients of optionals.
#include "graph/gradients/node_gradient.h"

namespace sluice::graph {
namespace {

void OptionalFromValue(NodeGradient& g) {
  std::vector<DType> types;
  std::vector<PartialShape> shapes;
  for (int i = 0; i < g.num_inputs(); ++i) {
    types.push_back(g.in(i).dtype());
    shapes.push_back(g.b.shape(g.in(i)));
  }
  const auto parts =
      g.b.Ops("OptionalGetValue", {g.grad()}, {{"output_types", types}, {"output_shapes", shapes}});
  for (size_t i = 0; i < parts.size(); ++i) g.Set(static_cast<int>(i), parts[i]);
}

void OptionalGetValue(NodeGradient& g) {
  std::vector<Output> parts;
  std::vector<DType> types;
  for (int i = 0; i < g.node.num_outputs(); ++i) {
    parts.push_back(g.grad(i));
    types.push_back(g.out(i).dtype());
  }
  g.Set(0, g.Op("OptionalFromValue", parts, {{"Toutput_types", types}}));
}

}  // namespace

void AddDatasetGradients(GradientTable& table) {
  table["OptionalFromValue"] = OptionalFromValue;
  table["OptionalGetValue"] = OptionalGetValue;
}

}  // namespace sluice::graph
