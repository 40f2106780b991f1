// SPDX-License-Identifier: Apache-2.0
// Shapes of recurrent cells.
#include "graph/shapes/rules.h"

namespace sluice::graph {
namespace {

// x and the previous state: every output has the shape of one state.
absl::Status CellShape(ShapeContext& c) {
  SLUICE_ASSIGN(PartialShape x, c.OfRank(0, 2));
  SLUICE_ASSIGN(PartialShape state, c.OfRank(1, 2));
  SLUICE_ASSIGN(const int64_t batch, MergedSize(x.dim(0), state.dim(0)));
  SLUICE_ASSIGN(const PartialShape next, PartialShape::Create({batch, state.dim(1)}));
  for (PartialShape& output : c.outputs) output = next;
  return absl::OkStatus();
}

absl::Status LstmCellGradShape(ShapeContext& c) {  // cs_prev_grad, dicfo, wci, wcf, wco
  SLUICE_ASSIGN(PartialShape x, c.OfRank(0, 2));
  SLUICE_ASSIGN(PartialShape state, c.OfRank(1, 2));
  SLUICE_ASSIGN(const int64_t batch, MergedSize(x.dim(0), state.dim(0)));
  const int64_t cells = state.dim(1);
  SLUICE_RETURN_IF_ERROR(c.Set(0, {batch, cells}));
  SLUICE_RETURN_IF_ERROR(c.Set(1, {batch, SizeProduct(cells, 4)}));
  for (int i = 2; i < 5; ++i) c.outputs[i] = PartialShape{cells};
  return absl::OkStatus();
}

absl::Status BlockLstmShape(ShapeContext& c) {  // seq_len_max, x, ..., b
  SLUICE_ASSIGN(PartialShape x, c.OfRank(1, 3));
  SLUICE_ASSIGN(PartialShape bias, c.OfRank(c.num_inputs() - 1, 1));
  const int64_t cells = bias.dim(0) < 0 ? -1 : bias.dim(0) / 4;
  SLUICE_ASSIGN(const PartialShape states, PartialShape::Create({x.dim(0), x.dim(1), cells}));
  for (PartialShape& output : c.outputs) output = states;
  return absl::OkStatus();
}

absl::Status BlockLstmGradShape(ShapeContext& c) {  // those of x, cs_prev, ..., b
  constexpr int kRanks[] = {3, 2, 2, 2, 1, 1, 1, 1};
  for (int i = 0; i < 8 && i < static_cast<int>(c.outputs.size()); ++i) {
    SLUICE_ASSIGN(c.outputs[i], c.OfRank(i + 1, kRanks[i]));
  }
  return absl::OkStatus();
}

absl::Status GruCellGradShape(ShapeContext& c) {  // d_x, d_h_prev, d_c_bar, d_r_bar_u_bar
  SLUICE_ASSIGN(PartialShape x, c.OfRank(0, 2));
  SLUICE_ASSIGN(PartialShape state, c.OfRank(1, 2));
  c.outputs[0] = x;
  c.outputs[1] = c.outputs[2] = state;
  return c.Set(3, {state.dim(0), SizeProduct(state.dim(1), 2)});
}

constexpr ShapeRule kRules[] = {
    {"BlockLSTM", BlockLstmShape},
    {"BlockLSTMGrad", BlockLstmGradShape},
    {"BlockLSTMGradV2", BlockLstmGradShape},
    {"BlockLSTMV2", BlockLstmShape},
    {"GRUBlockCell", CellShape},
    {"GRUBlockCellGrad", GruCellGradShape},
    {"LSTMBlockCell", CellShape},
    {"LSTMBlockCellGrad", LstmCellGradShape},
};

}  // namespace

absl::Span<const ShapeRule> RnnRules() { return kRules; }

}  // namespace sluice::graph
