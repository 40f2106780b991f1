// SPDX-License-Identifier: Apache-2.0
// Gradients of reads of variables.
#include "graph/gradients/node_gradient.h"

namespace sluice::graph {
namespace {

void ResourceGather(NodeGradient& g) {
  // The handle's own shape is []. The variable's shape is in its VarHandleOp.
  const Node& handle = *g.in(0).node;
  const auto known = GetAttrOr<PartialShape>(handle.attrs, "shape", PartialShape());
  if (handle.kind() == OpKind::kVariableHandle && known.fully_known()) {
    return g.Set(0, SparseGradient(g, g.b.Ints(known.dims()), known));
  }
  g.Set(0, SparseGradient(g, g.Op("VariableShape", {g.in(0)}), PartialShape()));
}

void ResourceGatherNd(NodeGradient& g) {
  const Output shape = g.Op("VariableShape", {g.in(0)}, {{"out_type", g.in(1).dtype()}});
  g.Set(0, g.Op("ScatterNd", {g.in(1), g.grad(), shape}));
}

}  // namespace

void AddStateGradients(GradientTable& table) {
  table["ReadVariableOp"] = PassThrough;
  table["ResourceGather"] = ResourceGather;
  table["ResourceGatherNd"] = ResourceGatherNd;
}

}  // namespace sluice::graph
