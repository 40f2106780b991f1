// SPDX-License-Identifier: Apache-2.0
#include "graph/lowered_output.h"

namespace sluice::graph {

bool IsLowered(const Node& node) {
  const bool stand_in = node.kind() == OpKind::kIdentityN || node.kind() == OpKind::kNoOp;
  return stand_in && node.attrs.contains(kLowered);
}

Output LoweredOutput(const Node& node, int output) {
  if (IsLowered(node)) {
    if (const Edge* edge = node.input(output)) return {edge->src, edge->src_output};
  }
  return {const_cast<Node*>(&node), output};
}

}  // namespace sluice::graph
