// SPDX-License-Identifier: Apache-2.0
// Gradients of ops that inspect tensors and pass them on.
#include "graph/gradients/node_gradient.h"

namespace sluice::graph {

void AddDebugGradients(GradientTable& table) {
  for (auto op : {"CheckNumerics", "CheckNumericsV2", "Copy"}) table[op] = PassThrough;
  table["Print"] = [](NodeGradient& g) { g.Set(0, g.incoming()); };
}

}  // namespace sluice::graph
