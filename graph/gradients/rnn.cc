// SPDX-License-Identifier: Apache-2.0
// Gradients of recurrent cells.
#include "graph/gradients/node_gradient.h"

namespace sluice::graph {
namespace {

Output Joined(NodeGradient& g, const Output& a, const Output& b) {
  return g.Op("ConcatV2", {a, b, g.b.Int(1)}, {{"N", int64_t{2}}});
}

// The gradient of the weights by which `rows` are multiplied.
Output WeightGradient(NodeGradient& g, const Output& rows, const Output& dy) {
  return g.Op("MatMul", {rows, dy}, {{"transpose_a", true}});
}

// The op computes the gradient of the gates before their activations. The other gradients follow
// from it.
void LstmBlockCell(NodeGradient& g) {
  std::vector<Output> inputs;
  for (int i = 0; i < 8; ++i) inputs.push_back(g.in(i));
  for (int i = 0; i < 6; ++i) inputs.push_back(g.out(i));
  inputs.push_back(g.grad(1));
  inputs.push_back(g.grad(6));
  const auto parts = g.b.Ops("LSTMBlockCellGrad", inputs, g.attrs({"use_peephole"}));
  if (parts.size() != 5) return;
  const Output x = g.in(0), gates = parts[1];
  const Output joined = g.Op("MatMul", {gates, g.in(3)}, {{"transpose_b", true}});
  const Output width = g.Op("Slice", {g.b.ShapeOf(x), g.b.Ints({1}), g.b.Ints({1})});
  const auto at = g.Op("ConcatV2", {g.b.Ints({0}), width, g.b.Int(0)}, {{"N", int64_t{2}}});
  g.Set(0, g.Op("Slice", {joined, g.b.Ints({0, 0}), g.b.ShapeOf(x)}));
  g.Set(1, parts[0]);
  g.Set(2, g.Op("Slice", {joined, at, g.b.Ints({-1, -1})}));
  g.Set(3, WeightGradient(g, Joined(g, x, g.in(2)), gates));
  for (int i = 4; i < 7; ++i) g.Set(i, parts[i - 2]);
  g.Set(7, g.Op("BiasAddGrad", {gates}));
}

void BlockLstm(NodeGradient& g) {
  std::vector<Output> inputs;
  for (int i = 0; i < 9; ++i) inputs.push_back(g.in(i));
  for (int i = 0; i < 7; ++i) inputs.push_back(g.out(i));
  inputs.push_back(g.grad(1));
  inputs.push_back(g.grad(6));
  const char* op = g.node.op() == "BlockLSTMV2" ? "BlockLSTMGradV2" : "BlockLSTMGrad";
  const auto parts = g.b.Ops(op, inputs, g.attrs({"use_peephole"}));
  for (size_t i = 0; i < parts.size(); ++i) g.Set(static_cast<int>(i) + 1, parts[i]);
}

void GruBlockCell(NodeGradient& g) {
  std::vector<Output> inputs;
  for (int i = 0; i < 6; ++i) inputs.push_back(g.in(i));
  for (int i = 0; i < 3; ++i) inputs.push_back(g.out(i));
  inputs.push_back(g.grad(3));
  const auto parts = g.b.Ops("GRUBlockCellGrad", inputs);
  if (parts.size() != 4) return;
  const Output x = g.in(0), h = g.in(1), d_c = parts[2], d_ru = parts[3];
  g.Set(0, parts[0]);
  g.Set(1, parts[1]);
  g.Set(2, WeightGradient(g, Joined(g, x, h), d_ru));
  g.Set(3, WeightGradient(g, Joined(g, x, g.Mul(h, g.out(0))), d_c));
  g.Set(4, g.Op("BiasAddGrad", {d_ru}));
  g.Set(5, g.Op("BiasAddGrad", {d_c}));
}

}  // namespace

void AddRnnGradients(GradientTable& table) {
  table["LSTMBlockCell"] = LstmBlockCell;
  table["BlockLSTM"] = BlockLstm;
  table["BlockLSTMV2"] = BlockLstm;
  table["GRUBlockCell"] = GruBlockCell;
}

}  // namespace sluice::graph
