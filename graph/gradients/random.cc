// SPDX-License-Identifier: Apache-2.0
// Gradients of random samples by their parameters.
#include "graph/gradients/node_gradient.h"

namespace sluice::graph {
namespace {

// The sample dimensions come before the dimensions of alpha.
void RandomGamma(NodeGradient& g) {
  if (!g.wanted(1)) return;
  const Output slope = g.Op("RandomGammaGrad", {g.in(1), g.out(0)});
  const Output axes = g.Op("Range", {g.b.Int(0), g.Op("Size", {g.in(0)}), g.b.Int(1)});
  g.Set(1, g.Op("Sum", {g.Mul(g.grad(), slope), axes}));
}

}  // namespace

void AddRandomGradients(GradientTable& table) { table["RandomGamma"] = RandomGamma; }

}  // namespace sluice::graph
