// SPDX-License-Identifier: Apache-2.0
// Shapes of ops on ragged tensors.
#include <algorithm>

#include "graph/shapes/rules.h"

namespace sluice::graph {
namespace {

absl::Status RaggedRange(ShapeContext& c) {  // starts, limits, deltas
  int64_t rows = 1;
  for (const PartialShape& input : c.inputs) {
    if (input.rank_known() && input.rank() > 1) {
      return InvalidArgument("Shape must be at most rank 1 but is rank ", input.rank());
    }
    if (!input.rank_known()) rows = -1;
  }
  PartialShape vectors{-1};
  for (const PartialShape& input : c.inputs) {
    if (input.rank() != 1) continue;
    SLUICE_ASSIGN(vectors, vectors.MergeWith(input));
    rows = vectors.dim(0);
  }
  SLUICE_RETURN_IF_ERROR(c.Set(0, {SizeSum(rows, 1)}));
  return c.Set(1, {-1});
}

absl::Status RaggedGather(ShapeContext& c) {  // params_nested_splits, params_dense_values, indices
  const int depth = c.num_inputs() - 2;
  for (int i = 0; i < depth; ++i) SLUICE_RETURN_IF_ERROR(c.OfRank(i, 1).status());
  SLUICE_ASSIGN(const PartialShape values, c.OfRankAtLeast(depth, 1));
  const auto outside = static_cast<int>(c.outputs.size()) - 1;
  if (outside + 1 < depth) {
    return InvalidArgument("the result has ", outside, " ragged dimensions, but the ", depth,
                           " of params leave at least ", depth - 1);
  }
  SLUICE_RETURN_IF_ERROR(c.OfRank(depth + 1, outside + 1 - depth).status());
  for (int i = 0; i < outside; ++i) c.outputs[i] = PartialShape{-1};
  if (!values.rank_known()) return absl::OkStatus();
  Shape::Dims dims(values.dims().begin(), values.dims().end());
  dims[0] = -1;
  return c.Set(outside, dims);
}

absl::Status RaggedTensorToSparse(ShapeContext& c) {  // rt_nested_splits, rt_dense_values
  const int depth = c.num_inputs() - 1;
  for (int i = 0; i < depth; ++i) SLUICE_RETURN_IF_ERROR(c.OfRank(i, 1).status());
  SLUICE_ASSIGN(const PartialShape values, c.OfRankAtLeast(depth, 1));
  const int64_t count = ElementCount(values);
  const int64_t rank = values.rank_known() ? values.rank() + depth : -1;
  SLUICE_RETURN_IF_ERROR(c.Set(0, {count, rank}));
  SLUICE_RETURN_IF_ERROR(c.Set(1, {count}));
  return c.Set(2, {rank});
}

// shape, values, default_value, row_partition_tensors
absl::Status RaggedTensorToTensor(ShapeContext& c) {
  SLUICE_ASSIGN(const PartialShape values, c.OfRankAtLeast(1, 1));
  SLUICE_ASSIGN(const auto kinds, c.Get<std::vector<std::string>>("row_partition_types"));
  SLUICE_ASSIGN(c.outputs[0], c.StatedBy(0));
  if (!values.rank_known() || kinds.empty()) return absl::OkStatus();
  const auto depth = kinds.size() - (kinds[0] == "FIRST_DIM_SIZE" ? 1 : 0);
  Shape::Dims dims(depth + 1, -1);
  dims.insert(dims.end(), values.dims().begin() + 1, values.dims().end());
  SLUICE_ASSIGN(const PartialShape shape, PartialShape::Create(dims));
  SLUICE_ASSIGN(c.outputs[0], c.outputs[0].MergeWith(shape));
  return absl::OkStatus();
}

absl::Status RaggedTensorToVariant(ShapeContext& c) {  // rt_nested_splits, rt_dense_values
  for (int i = 0; i + 1 < c.num_inputs(); ++i) SLUICE_RETURN_IF_ERROR(c.OfRank(i, 1).status());
  SLUICE_ASSIGN(const bool batched, c.Get<bool>("batched_input"));
  if (!batched) return c.Set(0, {});
  const PartialShape& splits = c.inputs[0];
  const bool known = c.num_inputs() > 1 && splits.rank_known() && splits.dim(0) > 0;
  return c.Set(0, {known ? splits.dim(0) - 1 : -1});
}

absl::Status RaggedTensorFromVariant(ShapeContext& c) {  // encoded_ragged
  for (size_t i = 0; i + 1 < c.outputs.size(); ++i) c.outputs[i] = PartialShape{-1};
  return absl::OkStatus();
}

// encoded_ragged_grad, row_splits, dense_values_shape
absl::Status RaggedTensorToVariantGradient(ShapeContext& c) {
  SLUICE_ASSIGN(c.outputs[0], c.StatedBy(2));
  return absl::OkStatus();
}

// value_rowids, values, nrows, default_value
absl::Status RaggedFillEmptyRows(ShapeContext& c) {
  SLUICE_ASSIGN(const PartialShape ids, c.OfRank(0, 1));
  SLUICE_ASSIGN(const PartialShape values, c.OfRank(1, 1));
  SLUICE_RETURN_IF_ERROR(c.OfRank(2, 0).status());
  SLUICE_RETURN_IF_ERROR(c.OfRank(3, 0).status());
  SLUICE_ASSIGN(const int64_t count, MergedSize(ids.dim(0), values.dim(0)));
  const auto rows = c.Int(2);
  c.outputs[0] = c.outputs[1] = PartialShape{-1};
  SLUICE_RETURN_IF_ERROR(c.Set(2, {rows && *rows >= 0 ? *rows : -1}));
  return c.Set(3, {count});
}

absl::Status RaggedFillEmptyRowsGrad(ShapeContext& c) {  // reverse_index_map, grad_values
  SLUICE_ASSIGN(c.outputs[0], c.OfRank(0, 1));
  SLUICE_RETURN_IF_ERROR(c.OfRank(1, 1).status());
  c.outputs[1] = Shape{};
  return absl::OkStatus();
}

// ragged_values, ragged_row_splits, sparse_indices, sparse_values, sparse_shape, dense_inputs
absl::Status RaggedCross(ShapeContext& c) {
  SLUICE_ASSIGN(const auto values, c.Get<std::vector<DType>>("ragged_values_types"));
  SLUICE_ASSIGN(const auto ragged, c.Get<std::vector<DType>>("ragged_splits_types"));
  SLUICE_ASSIGN(const auto dense, c.Get<std::vector<DType>>("dense_types"));
  const auto first_splits = static_cast<int>(values.size());
  const int first_dense = c.num_inputs() - static_cast<int>(dense.size());
  int64_t splits = -1;  // one more than the rows; -1: unknown
  const auto merge = [&](int64_t size) -> absl::Status {
    if (size >= 0 && splits >= 0 && size != splits)
      return InvalidArgument("inputs must all have the same batch dimension size.");
    splits = std::max(splits, size);
    return absl::OkStatus();
  };
  for (int i = first_splits; i < first_splits + static_cast<int>(ragged.size()); ++i) {
    const PartialShape& shape = c.inputs[i];
    if (shape.rank_known() && shape.rank() > 0) SLUICE_RETURN_IF_ERROR(merge(shape.dim(0)));
  }
  for (int i = first_dense; i < c.num_inputs(); ++i) {
    const PartialShape& shape = c.inputs[i];
    if (!shape.rank_known()) continue;
    if (shape.rank() != 2)
      return InvalidArgument("tf.ragged.cross only supports inputs with rank=2");
    SLUICE_RETURN_IF_ERROR(merge(SizeSum(shape.dim(0), 1)));
  }
  SLUICE_RETURN_IF_ERROR(c.Set(0, {-1}));
  return c.Set(1, {splits});
}

constexpr ShapeRule kRules[] = {
    {"RaggedCross", RaggedCross},
    {"RaggedFillEmptyRows", RaggedFillEmptyRows},
    {"RaggedFillEmptyRowsGrad", RaggedFillEmptyRowsGrad},
    {"RaggedGather", RaggedGather},
    {"RaggedRange", RaggedRange},
    {"RaggedTensorFromVariant", RaggedTensorFromVariant},
    {"RaggedTensorToSparse", RaggedTensorToSparse},
    {"RaggedTensorToTensor", RaggedTensorToTensor},
    {"RaggedTensorToVariant", RaggedTensorToVariant},
    {"RaggedTensorToVariantGradient", RaggedTensorToVariantGradient},
};

}  // namespace

absl::Span<const ShapeRule> RaggedRules() { return kRules; }

}  // namespace sluice::graph
