// SPDX-License-Identifier: Apache-2.0
// Gradients of ops that move elements: each gradient goes back to its element's place. Blocks,
// diagonals, reversals, scatters into a tensor, partitions, the largest elements.
#include "graph/gradients/node_gradient.h"

namespace sluice::graph {
namespace {

// Applies the inverse op to dy, with the node's other inputs and these attributes.
void Undo(NodeGradient& g, absl::string_view op,
          std::initializer_list<absl::string_view> attributes) {
  std::vector<Output> inputs = {g.grad()};
  for (int i = 1; i < g.num_inputs(); ++i) inputs.push_back(g.in(i));
  g.Set(0, g.Op(op, inputs, g.attrs(attributes)));
}

Output ZerosLike(NodeGradient& g, const Output& x) { return g.Op("ZerosLike", {x}); }

void ConjugateTranspose(NodeGradient& g) {
  g.Set(0, g.Op("ConjugateTranspose", {g.grad(), g.Op("InvertPermutation", {g.in(1)})}));
}

void Roll(NodeGradient& g) { g.Set(0, g.Op("Roll", {g.grad(), g.Neg(g.in(1)), g.in(2)})); }

AttrMap Alignment(NodeGradient& g) { return g.attrs({"align"}); }
// The diagonal op of the node's version: "", "V2" or "V3".
std::string Generation(NodeGradient& g, absl::string_view op) {
  const std::string& own = g.node.op();
  const bool later = own.size() > 2 && own[own.size() - 2] == 'V';
  return absl::StrCat(op, later ? own.substr(own.size() - 2) : "");
}

void MatrixDiag(NodeGradient& g) { g.Set(0, g.Op("MatrixDiagPart", {g.grad()})); }
void MatrixDiagLater(NodeGradient& g) {
  const Output padding = g.b.ScalarOf(g.in(0).dtype(), 0);
  g.Set(0, g.Op(Generation(g, "MatrixDiagPart"), {g.grad(), g.in(1), padding}, Alignment(g)));
}
void MatrixDiagPart(NodeGradient& g) {
  g.Set(0, g.Op("MatrixSetDiag", {ZerosLike(g, g.in(0)), g.grad()}));
}
void MatrixDiagPartLater(NodeGradient& g) {
  g.Set(0, g.Op(Generation(g, "MatrixSetDiag"), {ZerosLike(g, g.in(0)), g.grad(), g.in(1)},
                Alignment(g)));
}
void MatrixSetDiag(NodeGradient& g) {
  if (g.wanted(0)) g.Set(0, g.Op("MatrixSetDiag", {g.grad(), ZerosLike(g, g.in(1))}));
  if (g.wanted(1)) g.Set(1, g.Op("MatrixDiagPart", {g.grad()}));
}
void MatrixSetDiagLater(NodeGradient& g) {
  const Output padding = g.b.ScalarOf(g.in(0).dtype(), 0);
  if (g.wanted(0))
    g.Set(0, g.Op(g.node.op(), {g.grad(), ZerosLike(g, g.in(1)), g.in(2)}, Alignment(g)));
  if (g.wanted(1))
    g.Set(1, g.Op(Generation(g, "MatrixDiagPart"), {g.grad(), g.in(2), padding}, Alignment(g)));
}

// The positions of the data go through the same partition; they stitch dy together.
void DynamicPartition(NodeGradient& g) {
  const Output shape = g.b.ShapeOf(g.in(1));
  const Output count = g.Op("Prod", {shape, g.b.Ints({0})});
  const Output places = g.Op("Reshape", {g.Op("Range", {g.b.Int(0), count, g.b.Int(1)}), shape});
  std::vector<Output> inputs =
      g.b.Ops("DynamicPartition", {places, g.in(1)}, g.attrs({"num_partitions"}));
  const int parts = static_cast<int>(inputs.size());
  for (int i = 0; i < parts; ++i) inputs.push_back(g.grad(i));
  const Output stitched = g.Op("DynamicStitch", inputs, {{"N", parts}});
  g.Set(0, g.Op("Reshape", {stitched, g.b.ShapeOf(g.in(0))}));
}

// For a tensor with rows that were replaced, added to, or subtracted from.
void TensorScatterUpdate(NodeGradient& g) {
  if (g.wanted(0))
    g.Set(0, g.Op("TensorScatterUpdate", {g.grad(), g.in(1), ZerosLike(g, g.in(2))}));
  if (g.wanted(2)) g.Set(2, g.Op("GatherNd", {g.grad(), g.in(1)}));
}
void TensorScatterAdd(NodeGradient& g) {
  g.Set(0, g.grad());
  if (g.wanted(2)) g.Set(2, g.Op("GatherNd", {g.grad(), g.in(1)}));
}
void TensorScatterSub(NodeGradient& g) {
  g.Set(0, g.grad());
  if (g.wanted(2)) g.Set(2, g.Neg(g.Op("GatherNd", {g.grad(), g.in(1)})));
}

// All elements that equal the extreme value get equal parts of the gradient.
void TensorScatterExtreme(NodeGradient& g) {
  const Output x = g.in(0), indices = g.in(1), y = g.in(2);
  const auto chosen = [&](const Output& value, const Output& extreme) {
    return g.Op("Cast", {g.Op("Equal", {value, extreme})}, {{"DstT", x.dtype()}});
  };
  const Output of_x = chosen(x, g.out(0));
  const Output of_y = chosen(y, g.Op("GatherNd", {g.out(0), indices}));
  const Output all = g.Op("TensorScatterAdd", {of_x, indices, of_y});
  const Output share = g.Op("RealDiv", {g.grad(), all});
  g.Set(0, g.Mul(share, of_x));
  if (g.wanted(2)) g.Set(2, g.Mul(g.Op("GatherNd", {share, indices}), of_y));
}

void PreventGradient(NodeGradient& g) {
  g.b.Fail(NotFound("Gradient explicitly disabled. Reason: ", g.attr<std::string>("message")));
}

}  // namespace

void AddArrayRearrangeGradients(GradientTable& table) {
  table["BatchToSpace"] = [](NodeGradient& g) { Undo(g, "SpaceToBatch", {"block_size"}); };
  table["SpaceToBatch"] = [](NodeGradient& g) { Undo(g, "BatchToSpace", {"block_size"}); };
  table["BatchToSpaceND"] = [](NodeGradient& g) { Undo(g, "SpaceToBatchND", {}); };
  table["SpaceToBatchND"] = [](NodeGradient& g) { Undo(g, "BatchToSpaceND", {}); };
  table["DepthToSpace"] = [](NodeGradient& g) {
    Undo(g, "SpaceToDepth", {"block_size", "data_format"});
  };
  table["SpaceToDepth"] = [](NodeGradient& g) {
    Undo(g, "DepthToSpace", {"block_size", "data_format"});
  };
  table["Reverse"] = [](NodeGradient& g) { Undo(g, g.node.op(), {}); };
  table["ReverseSequence"] = [](NodeGradient& g) {
    Undo(g, "ReverseSequence", {"seq_dim", "batch_dim"});
  };
  table["ConjugateTranspose"] = ConjugateTranspose;
  table["Roll"] = Roll;
  table["Diag"] = [](NodeGradient& g) { Undo(g, "DiagPart", {}); };
  table["DiagPart"] = [](NodeGradient& g) { Undo(g, "Diag", {}); };
  for (auto op : {"MatrixDiag", "BatchMatrixDiag"}) table[op] = MatrixDiag;
  for (auto op : {"MatrixDiagPart", "BatchMatrixDiagPart"}) table[op] = MatrixDiagPart;
  for (auto op : {"MatrixSetDiag", "BatchMatrixSetDiag"}) table[op] = MatrixSetDiag;
  for (auto op : {"MatrixDiagV2", "MatrixDiagV3"}) table[op] = MatrixDiagLater;
  for (auto op : {"MatrixDiagPartV2", "MatrixDiagPartV3"}) table[op] = MatrixDiagPartLater;
  for (auto op : {"MatrixSetDiagV2", "MatrixSetDiagV3"}) table[op] = MatrixSetDiagLater;
  for (auto op : {"MatrixBandPart", "BatchMatrixBandPart"})
    table[op] = [](NodeGradient& g) { Undo(g, "MatrixBandPart", {}); };
  table["DynamicPartition"] = DynamicPartition;
  table["TensorScatterUpdate"] = TensorScatterUpdate;
  for (auto op : {"TensorScatterAdd", "ScatterNdNonAliasingAdd"}) table[op] = TensorScatterAdd;
  for (auto op : {"TensorScatterMin", "TensorScatterMax"}) table[op] = TensorScatterExtreme;
  table["TensorScatterSub"] = TensorScatterSub;
  table["PreventGradient"] = PreventGradient;
}

}  // namespace sluice::graph
