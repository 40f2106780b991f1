// SPDX-License-Identifier: Apache-2.0
// Shapes of variables of both kinds. A resource handle carries the shape of its content.
#include "graph/shapes/rules.h"
#include "graph/shapes/strided_slice.h"

namespace sluice::graph {
namespace {

absl::Status ResourceGatherNdShape(ShapeContext& c) { return GatherNdOf(c, c.held[0]); }

absl::Status ResourceGatherShape(ShapeContext& c) {
  const PartialShape& params = c.held[0];
  if (!params.rank_known()) return absl::OkStatus();
  if (params.rank() == 0) return InvalidArgument("a scalar variable cannot be gathered from");
  const int64_t batch = GetAttrOr<int64_t>(c.node.attrs, "batch_dims", 0);
  if (batch != 0 || !c.inputs[1].rank_known()) return absl::OkStatus();
  SLUICE_ASSIGN(c.outputs[0], Concatenated(c.inputs[1], SubShape(params, 1, params.rank())));
  return absl::OkStatus();
}

absl::Status ShapeOfVariable(const ShapeContext& c, PartialShape* shape) {
  SLUICE_ASSIGN(*shape, c.Get<PartialShape>("shape"));
  return absl::OkStatus();
}

absl::Status VariableV2Shape(ShapeContext& c) { return ShapeOfVariable(c, &c.outputs[0]); }

// The first version could not express an unknown shape.
absl::Status VariableShapeOfV1(ShapeContext& c) {
  PartialShape shape;
  SLUICE_RETURN_IF_ERROR(ShapeOfVariable(c, &shape));
  if (shape.rank() != 0) c.outputs[0] = std::move(shape);
  return absl::OkStatus();
}

absl::Status VarHandleShape(ShapeContext& c) {
  c.outputs[0] = Shape{};
  return ShapeOfVariable(c, &c.outputs_hold[0]);
}

absl::Status ReadVariableShape(ShapeContext& c) {
  c.outputs[0] = c.held[0];
  return absl::OkStatus();
}

absl::Status VariableShapeShape(ShapeContext& c) {
  return c.Set(0, {c.held[0].rank_known() ? c.held[0].rank() : -1});
}

absl::Status AssignShape(ShapeContext& c) {  // ref, value
  if (!GetAttrOr(c.node.attrs, "validate_shape", true)) {
    c.outputs[0] = c.inputs[1];
    return absl::OkStatus();
  }
  auto merged = c.inputs[0].MergeWith(c.inputs[1]);
  if (!merged.ok()) {
    return InvalidArgument("Assign requires shapes of both tensors to match. lhs shape= ",
                           c.inputs[0], " rhs shape= ", c.inputs[1]);
  }
  c.outputs[0] = *std::move(merged);
  return absl::OkStatus();
}

absl::Status UpdateShape(ShapeContext& c) {  // AssignAdd, AssignSub
  SLUICE_ASSIGN(c.outputs[0], c.inputs[0].MergeWith(c.inputs[1]));
  return absl::OkStatus();
}

absl::Status AssignVariableShape(ShapeContext& c) {
  if (c.held[0].CompatibleWith(c.inputs[1])) return absl::OkStatus();
  return InvalidArgument("a variable of shape ", c.held[0], " cannot take a value of shape ",
                         c.inputs[1]);
}

// The rows that `indices` select get `updates`, or all get one number.
absl::Status ScatterShape(ShapeContext& c) {  // ref, indices, updates
  SLUICE_ASSIGN(const PartialShape variable, c.OfRankAtLeast(0, 1));
  c.outputs[0] = c.inputs[0];
  const PartialShape &indices = c.inputs[1], &updates = c.inputs[2];
  if (!variable.rank_known() || !indices.rank_known() || updates.rank() == 0)
    return absl::OkStatus();
  SLUICE_ASSIGN(const PartialShape wanted,
                Concatenated(indices, SubShape(variable, 1, variable.rank())));
  if (wanted.CompatibleWith(updates)) return absl::OkStatus();
  return InvalidArgument("updates must have the shape of indices and a row, ", wanted,
                         ", but have ", updates);
}

PartialShape Rows(const PartialShape& shape) {  // without the first size
  return shape.rank() > 0 ? SubShape(shape, 1, shape.rank()) : PartialShape();
}

// handle, indices, updates: a row for each index, or one number for all.
absl::Status ResourceScatterShape(ShapeContext& c) {
  if (c.inputs[2].rank() == 0) return absl::OkStatus();
  if (c.held[0].rank() == 0) return InvalidArgument("a scalar variable has no rows");
  SLUICE_ASSIGN(const PartialShape rows, Concatenated(c.inputs[1], Rows(c.held[0])));
  return rows.MergeWith(c.inputs[2]).status();
}

constexpr ShapeRule kRules[] = {
    {"Assign", AssignShape},
    {"AssignAdd", UpdateShape},
    {"AssignAddVariableOp", AssignVariableShape},
    {"AssignSub", UpdateShape},
    {"AssignSubVariableOp", AssignVariableShape},
    {"AssignVariableOp", NoOutputs},
    {"ConsumeMutexLock", NoOutputs},
    {"CountUpTo", AllScalars},
    {"DestroyResourceOp", NoOutputs},
    {"DestroyTemporaryVariable", Unchanged},
    {"DisableCopyOnRead", NoOutputs},
    {"IsVariableInitialized", AllScalars},
    {"MutexLock", AllScalars},
    {"MutexV2", AllScalars},
    {"ReadVariableOp", ReadVariableShape},
    {"ResourceCountUpTo", AllScalars},
    {"ResourceGather", ResourceGatherShape},
    {"ResourceGatherNd", ResourceGatherNdShape},
    {"ResourceScatterAdd", ResourceScatterShape},
    {"ResourceScatterDiv", ResourceScatterShape},
    {"ResourceScatterMax", ResourceScatterShape},
    {"ResourceScatterMin", ResourceScatterShape},
    {"ResourceScatterMul", ResourceScatterShape},
    {"ResourceScatterNdAdd", NoOutputs},
    {"ResourceScatterNdMax", NoOutputs},
    {"ResourceScatterNdMin", NoOutputs},
    {"ResourceScatterNdSub", NoOutputs},
    {"ResourceScatterNdUpdate", NoOutputs},
    {"ResourceScatterSub", ResourceScatterShape},
    {"ResourceScatterUpdate", ResourceScatterShape},
    {"ScatterAdd", ScatterShape},
    {"ScatterDiv", ScatterShape},
    {"ScatterMax", ScatterShape},
    {"ScatterMin", ScatterShape},
    {"ScatterMul", ScatterShape},
    {"ScatterNdAdd", Unchanged},
    {"ScatterNdMax", Unchanged},
    {"ScatterNdMin", Unchanged},
    {"ScatterNdSub", Unchanged},
    {"ScatterNdUpdate", Unchanged},
    {"ScatterSub", ScatterShape},
    {"ScatterUpdate", ScatterShape},
    {"TemporaryVariable", VariableV2Shape},
    {"VarHandleOp", VarHandleShape},
    {"VarIsInitializedOp", AllScalars},
    {"Variable", VariableShapeOfV1},
    {"VariableShape", VariableShapeShape},
    {"VariableV2", VariableV2Shape},
};

}  // namespace

absl::Span<const ShapeRule> StateRules() { return kRules; }

}  // namespace sluice::graph
