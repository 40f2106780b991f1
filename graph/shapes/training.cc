// SPDX-License-Identifier: Apache-2.0
// Shapes of optimizer updates: the variable, its slots and its gradient have one shape, which the
// update returns.
#include <algorithm>

#include "graph/shapes/rules.h"

namespace sluice::graph {
namespace {

// The first inputs are the variable and its slots, as many as are references.
absl::Status ApplyShape(ShapeContext& c) {
  PartialShape shape;
  for (int i = 0; i < c.num_inputs() && IsRef(c.node.input_types[i]); ++i) {
    SLUICE_ASSIGN(shape, shape.MergeWith(c.inputs[i]));
  }
  if (!c.outputs.empty()) c.outputs[0] = std::move(shape);
  return absl::OkStatus();
}

PartialShape Rows(const PartialShape& shape) {  // without the first size
  return shape.rank() > 0 ? SubShape(shape, 1, shape.rank()) : PartialShape();
}

// The same for ops whose first inputs are handles of variables. A sparse update's gradient has a
// row for each index.
absl::Status ResourceApplyShape(ShapeContext& c) {
  PartialShape shape;
  for (int i = 0; i < c.num_inputs() && c.node.input_types[i] == kResource; ++i) {
    SLUICE_ASSIGN(shape, shape.MergeWith(c.held[i]));
  }
  const OpDef& op = *c.node.op_def();
  const int grad = std::max(op.InputIndex("grad"), op.InputIndex("delta"));
  const int indices = op.InputIndex("indices");
  if (grad < 0) return absl::OkStatus();
  if (indices < 0) return shape.MergeWith(c.inputs[grad]).status();
  SLUICE_ASSIGN(const PartialShape places, c.OfRank(indices, 1));
  if (c.inputs[grad].rank() > 0) {
    SLUICE_RETURN_IF_ERROR(MergedSize(places.dim(0), c.inputs[grad].dim(0)).status());
  }
  return Rows(shape).MergeWith(Rows(c.inputs[grad])).status();
}

// -> the examples' state, and changes of the weights, which have their shapes
absl::Status SdcaShape(ShapeContext& c) {
  SLUICE_ASSIGN(const int64_t sparse, c.Get<int64_t>("num_sparse_features"));
  SLUICE_ASSIGN(const int64_t valued, c.Get<int64_t>("num_sparse_features_with_values"));
  SLUICE_ASSIGN(const int64_t dense, c.Get<int64_t>("num_dense_features"));
  const int64_t weights = 3 * sparse + valued + dense + 2;  // after the weights' indices
  for (int64_t i = 0; i < sparse + dense; ++i) c.outputs[1 + i] = c.inputs[weights + i];
  return c.Set(0, {-1, 4});
}

absl::Status SdcaFprintShape(ShapeContext& c) {
  SLUICE_ASSIGN(const PartialShape keys, c.OfRank(0, 1));
  return c.Set(0, {keys.dim(0), 2});
}

absl::Status MaskedMatmulShape(ShapeContext& c) {
  SLUICE_ASSIGN(const PartialShape mask, c.OfRank(2, 2));
  return c.Set(0, {mask.dim(0)});
}

// factors, ..., block size -> a matrix and a vector for each row of the block
absl::Status WalsShape(ShapeContext& c) {
  SLUICE_ASSIGN(const PartialShape factors, c.OfRank(0, 2));
  const int64_t block = std::max<int64_t>(-1, c.Int(7).value_or(-1)), size = factors.dim(1);
  SLUICE_RETURN_IF_ERROR(c.Set(0, {block, size, size}));
  return c.Set(1, {block, size});
}

constexpr ShapeRule kRules[] = {
    {"ApplyAdaMax", ApplyShape},
    {"ApplyAdadelta", ApplyShape},
    {"ApplyAdagrad", ApplyShape},
    {"ApplyAdagradDA", ApplyShape},
    {"ApplyAdagradV2", ApplyShape},
    {"ApplyAdam", ApplyShape},
    {"ApplyAddSign", ApplyShape},
    {"ApplyCenteredRMSProp", ApplyShape},
    {"ApplyFtrl", ApplyShape},
    {"ApplyFtrlV2", ApplyShape},
    {"ApplyGradientDescent", ApplyShape},
    {"ApplyMomentum", ApplyShape},
    {"ApplyPowerSign", ApplyShape},
    {"ApplyProximalAdagrad", ApplyShape},
    {"ApplyProximalGradientDescent", ApplyShape},
    {"ApplyRMSProp", ApplyShape},
    {"KMC2ChainInitialization", NothingKnown},
    {"KmeansPlusPlusInitialization", NothingKnown},
    {"MaskedMatmul", MaskedMatmulShape},
    {"NearestNeighbors", NothingKnown},
    {"ResourceApplyAdaMax", ResourceApplyShape},
    {"ResourceApplyAdadelta", ResourceApplyShape},
    {"ResourceApplyAdagrad", ResourceApplyShape},
    {"ResourceApplyAdagradDA", ResourceApplyShape},
    {"ResourceApplyAdagradV2", ResourceApplyShape},
    {"ResourceApplyAdam", ResourceApplyShape},
    {"ResourceApplyAdamWithAmsgrad", ResourceApplyShape},
    {"ResourceApplyAddSign", ResourceApplyShape},
    {"ResourceApplyCenteredRMSProp", ResourceApplyShape},
    {"ResourceApplyFtrl", ResourceApplyShape},
    {"ResourceApplyFtrlV2", ResourceApplyShape},
    {"ResourceApplyGradientDescent", ResourceApplyShape},
    {"ResourceApplyKerasMomentum", ResourceApplyShape},
    {"ResourceApplyMomentum", ResourceApplyShape},
    {"ResourceApplyPowerSign", ResourceApplyShape},
    {"ResourceApplyProximalAdagrad", ResourceApplyShape},
    {"ResourceApplyProximalGradientDescent", ResourceApplyShape},
    {"ResourceApplyRMSProp", ResourceApplyShape},
    {"ResourceSparseApplyAdadelta", ResourceApplyShape},
    {"ResourceSparseApplyAdagrad", ResourceApplyShape},
    {"ResourceSparseApplyAdagradDA", ResourceApplyShape},
    {"ResourceSparseApplyAdagradV2", ResourceApplyShape},
    {"ResourceSparseApplyCenteredRMSProp", ResourceApplyShape},
    {"ResourceSparseApplyFtrl", ResourceApplyShape},
    {"ResourceSparseApplyFtrlV2", ResourceApplyShape},
    {"ResourceSparseApplyKerasMomentum", ResourceApplyShape},
    {"ResourceSparseApplyMomentum", ResourceApplyShape},
    {"ResourceSparseApplyProximalAdagrad", ResourceApplyShape},
    {"ResourceSparseApplyProximalGradientDescent", ResourceApplyShape},
    {"ResourceSparseApplyRMSProp", ResourceApplyShape},
    {"SdcaFprint", SdcaFprintShape},
    {"SdcaOptimizer", SdcaShape},
    {"SdcaOptimizerV2", SdcaShape},
    {"SdcaShrinkL1", NoOutputs},
    {"SparseApplyAdadelta", ApplyShape},
    {"SparseApplyAdagrad", ApplyShape},
    {"SparseApplyAdagradDA", ApplyShape},
    {"SparseApplyAdagradV2", ApplyShape},
    {"SparseApplyCenteredRMSProp", ApplyShape},
    {"SparseApplyFtrl", ApplyShape},
    {"SparseApplyFtrlV2", ApplyShape},
    {"SparseApplyMomentum", ApplyShape},
    {"SparseApplyProximalAdagrad", ApplyShape},
    {"SparseApplyProximalGradientDescent", ApplyShape},
    {"SparseApplyRMSProp", ApplyShape},
    {"WALSComputePartialLhsAndRhs", WalsShape},
};

}  // namespace

absl::Span<const ShapeRule> TrainingRules() { return kRules; }

}  // namespace sluice::graph
