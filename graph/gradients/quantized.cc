// SPDX-License-Identifier: Apache-2.0
// Gradients of patches and simulated quantisation.
#include "graph/gradients/node_gradient.h"

namespace sluice::graph {
namespace {

// The gradient passes unchanged.
void Straight(NodeGradient& g) { g.Set(0, g.grad()); }

// The gradient passes where the input is in the range.
void WithinRange(NodeGradient& g) {
  const std::vector<Output> all = g.b.Ops("QuantizeAndDequantizeV4Grad",
                                          {g.grad(), g.in(0), g.in(1), g.in(2)}, g.attrs({"axis"}));
  for (size_t i = 0; i < all.size(); ++i) g.Set(static_cast<int>(i), all[i]);
}

void FakeQuantArgs(NodeGradient& g) {
  g.Set(0, g.Op("FakeQuantWithMinMaxArgsGradient", {g.grad(), g.in(0)},
                g.attrs({"min", "max", "num_bits", "narrow_range"})));
}

void FakeQuantVars(NodeGradient& g) {
  const std::vector<Output> all =
      g.b.Ops(g.node.op() + "Gradient", {g.grad(), g.in(0), g.in(1), g.in(2)},
              g.attrs({"num_bits", "narrow_range"}));
  for (size_t i = 0; i < all.size(); ++i) g.Set(static_cast<int>(i), all[i]);
}

}  // namespace

void AddQuantizedGradients(GradientTable& table) {
  for (auto op : {"QuantizeAndDequantize", "QuantizeAndDequantizeV2", "QuantizeAndDequantizeV3"})
    table[op] = Straight;
  table["QuantizeAndDequantizeV4"] = WithinRange;
  table["FakeQuantWithMinMaxArgs"] = FakeQuantArgs;
  for (auto op : {"FakeQuantWithMinMaxVars", "FakeQuantWithMinMaxVarsPerChannel"})
    table[op] = FakeQuantVars;
}

}  // namespace sluice::graph
