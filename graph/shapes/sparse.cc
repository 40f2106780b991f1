// SPDX-License-Identifier: Apache-2.0
// Shapes of sparse tensors and sets.
#include <algorithm>

#include "graph/shapes/rules.h"
#include "graph/shapes/strided_slice.h"

namespace sluice::graph {
namespace {

absl::Status SparseSegmentWithCountShape(
    ShapeContext& c) {  // data, indices, segment_ids, num_segments
  const auto count = c.Int(3);
  return Segments(c, count && *count >= 0 ? *count : -1, 1);
}
absl::Status SparseSegmentGradShape(ShapeContext& c) {  // grad, indices, segment_ids, output_dim0
  const auto count = c.Int(3);
  return Segments(c, count && *count >= 0 ? *count : -1, 1);
}
absl::Status SparseSegmentGradV2Shape(ShapeContext& c) {  // and the rows' numbers
  c.outputs[1] = PartialShape{-1};
  return Segments(c, -1, 1);
}

constexpr int64_t kUnknown = -1;

// The first size of a matrix or vector input.
absl::StatusOr<int64_t> Rows(const ShapeContext& c, int input, int rank) {
  SLUICE_ASSIGN(PartialShape shape, c.OfRank(input, rank));
  return shape.dim(0);
}

// The rank of the tensor whose sizes are in an input.
int64_t RankHeld(const ShapeContext& c, int input) {
  const PartialShape& shape = c.inputs[input];
  return shape.rank() == 1 ? shape.dim(0) : kUnknown;
}

// Outputs first, first + 1, first + 2: a sparse tensor with this number of values and dimensions.
absl::Status SetSparse(ShapeContext& c, int64_t count, int64_t rank, int first = 0) {
  SLUICE_RETURN_IF_ERROR(c.Set(first, {count, rank}));
  SLUICE_RETURN_IF_ERROR(c.Set(first + 1, {count}));
  return c.Set(first + 2, {rank});
}

absl::Status CheckSparse(const ShapeContext& c, int first) {
  SLUICE_RETURN_IF_ERROR(c.OfRank(first, 2).status());
  SLUICE_RETURN_IF_ERROR(c.OfRank(first + 1, 1).status());
  return c.OfRank(first + 2, 1).status();
}

absl::Status ReorderShape(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(CheckSparse(c, 0));
  SLUICE_ASSIGN(c.outputs[0], c.OfRank(0, 2));
  SLUICE_ASSIGN(c.outputs[1], c.OfRank(1, 1));
  return absl::OkStatus();
}

absl::Status ReshapeShape(ShapeContext& c) {  // indices, shape, new shape
  SLUICE_ASSIGN(const int64_t count, Rows(c, 0, 2));
  SLUICE_RETURN_IF_ERROR(c.OfRank(1, 1).status());
  SLUICE_ASSIGN(const int64_t rank, Rows(c, 2, 1));
  SLUICE_RETURN_IF_ERROR(c.Set(0, {count, rank}));
  return c.Set(1, {rank});
}

absl::Status ConcatShape(ShapeContext& c) {  // N indices, N values, N shapes
  const int n = c.num_inputs() / 3;
  int64_t total = 0, rank = kUnknown;
  for (int i = 0; i < n; ++i) {
    SLUICE_ASSIGN(const PartialShape indices, c.OfRank(i, 2));
    SLUICE_ASSIGN(const PartialShape values, c.OfRank(n + i, 1));
    SLUICE_ASSIGN(const PartialShape shape, c.OfRank(2 * n + i, 1));
    SLUICE_ASSIGN(const int64_t count, MergedSize(indices.dim(0), values.dim(0)));
    total = SizeSum(total, count);
    SLUICE_ASSIGN(rank, MergedSize(rank, indices.dim(1)));
    SLUICE_ASSIGN(rank, MergedSize(rank, shape.dim(0)));
  }
  return SetSparse(c, total, rank);
}

absl::Status SplitShape(ShapeContext& c) {
  const int n = static_cast<int>(c.outputs.size()) / 3;
  const int64_t rank = RankHeld(c, 3);
  for (int i = 0; i < n; ++i) {
    SLUICE_RETURN_IF_ERROR(c.Set(i, {kUnknown, rank}));
    SLUICE_RETURN_IF_ERROR(c.Set(n + i, {kUnknown}));
    SLUICE_RETURN_IF_ERROR(c.Set(2 * n + i, {rank}));
  }
  return absl::OkStatus();
}

absl::Status LikeThird(ShapeContext& c) {  // SparseSlice, SparseAdd: some values, the same rank
  SLUICE_RETURN_IF_ERROR(c.OfRank(2, 1).status());
  return SetSparse(c, kUnknown, RankHeld(c, 2));
}

absl::Status SliceGradShape(ShapeContext& c) {
  SLUICE_ASSIGN(const int64_t count, Rows(c, 1, 2));
  return c.Set(0, {count});
}

absl::Status AddGradShape(ShapeContext& c) {
  for (int i : {0, 1}) {
    SLUICE_ASSIGN(const int64_t count, Rows(c, i + 1, 2));
    SLUICE_RETURN_IF_ERROR(c.Set(i, {count}));
  }
  return absl::OkStatus();
}

absl::Status LikeFourth(ShapeContext& c) {
  c.outputs[0] = c.inputs[3];
  return absl::OkStatus();
}

absl::Status ValuesShape(ShapeContext& c) {  // one result for each value
  SLUICE_ASSIGN(const int64_t count, Rows(c, 0, 2));
  return c.Set(0, {count});
}

absl::Status SoftmaxShape(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(CheckSparse(c, 0));
  SLUICE_ASSIGN(c.outputs[0], c.OfRank(1, 1));
  return absl::OkStatus();
}

absl::Status MatMulShape(ShapeContext& c) {  // indices, values, shape, b
  SLUICE_ASSIGN(const PartialShape b, c.OfRank(3, 2));
  SLUICE_ASSIGN(const PartialShape stated, c.StatedBy(2));
  const PartialShape a = stated.rank_known() ? stated : PartialShape::UnknownOfRank(2);
  if (a.rank() != 2) return InvalidArgument("a_shape must state a matrix, not ", a);
  SLUICE_ASSIGN(const bool adjoint_a, c.Get<bool>("adjoint_a"));
  SLUICE_ASSIGN(const bool adjoint_b, c.Get<bool>("adjoint_b"));
  SLUICE_RETURN_IF_ERROR(MergedSize(a.dim(adjoint_a ? 0 : 1), b.dim(adjoint_b ? 1 : 0)).status());
  return c.Set(0, {a.dim(adjoint_a ? 1 : 0), b.dim(adjoint_b ? 0 : 1)});
}

absl::Status ReduceShape(ShapeContext& c) {  // indices, values, shape, axes
  SLUICE_ASSIGN(const PartialShape shape, c.StatedBy(2));
  SLUICE_ASSIGN(const bool keep, c.Get<bool>("keep_dims"));
  if (!shape.rank_known() || c.ints[2] == nullptr || c.ints[3] == nullptr) return absl::OkStatus();
  std::vector<bool> reduced(shape.rank(), false);
  for (int64_t axis : *c.ints[3]) {
    if (axis == kUnknownInt) return absl::OkStatus();
    SLUICE_ASSIGN(const int at, FrontAxis(axis, shape.rank()));
    reduced[at] = true;
  }
  Shape::Dims sizes;
  for (int d = 0; d < shape.rank(); ++d) {
    if (!reduced[d] || keep) sizes.push_back(reduced[d] ? 1 : shape.dim(d));
  }
  return c.Set(0, sizes);
}

absl::Status ExtremeShape(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(CheckSparse(c, 0));
  SLUICE_RETURN_IF_ERROR(CheckSparse(c, 3));
  const int64_t rank = c.inputs[0].rank_known() ? c.inputs[0].dim(1) : kUnknown;
  SLUICE_RETURN_IF_ERROR(c.Set(0, {kUnknown, rank}));
  return c.Set(1, {kUnknown});
}

absl::Status FillEmptyRowsShape(ShapeContext& c) {  // indices, values, shape, default
  SLUICE_ASSIGN(const PartialShape indices, c.OfRank(0, 2));
  SLUICE_ASSIGN(const PartialShape values, c.OfRank(1, 1));
  SLUICE_ASSIGN(const PartialShape sizes, c.OfRank(2, 1));
  SLUICE_RETURN_IF_ERROR(c.OfRank(3, 0).status());
  SLUICE_ASSIGN(const int64_t count, MergedSize(indices.dim(0), values.dim(0)));
  SLUICE_ASSIGN(const int64_t rank, MergedSize(indices.dim(1), sizes.dim(0)));
  SLUICE_RETURN_IF_ERROR(c.Set(0, {kUnknown, rank}));
  SLUICE_RETURN_IF_ERROR(c.Set(1, {kUnknown}));
  const auto rows = c.Int(2);
  SLUICE_RETURN_IF_ERROR(c.Set(2, {rows && *rows >= 0 ? *rows : kUnknown}));
  return c.Set(3, {count});
}

absl::Status FillEmptyRowsGradShape(ShapeContext& c) {
  SLUICE_ASSIGN(c.outputs[0], c.OfRank(0, 1));
  c.outputs[1] = Shape{};
  return absl::OkStatus();
}

absl::Status CrossShape(ShapeContext& c) { return SetSparse(c, kUnknown, 2); }

absl::Status SerializeShape(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(CheckSparse(c, 0));
  return c.Set(0, {3});
}
absl::Status SerializeManyShape(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(CheckSparse(c, 0));
  return c.Set(0, {kUnknown, 3});
}
absl::Status SomeSparseShape(ShapeContext& c) { return SetSparse(c, kUnknown, kUnknown); }
absl::Status TakeFromMapShape(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(c.OfRank(0, 1).status());
  return SomeSparseShape(c);
}
absl::Status AddToMapShape(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(CheckSparse(c, 0));
  c.outputs[0] = Shape{};
  return absl::OkStatus();
}
absl::Status AddManyToMapShape(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(CheckSparse(c, 0));
  return c.Set(0, {kUnknown});
}

absl::Status DenseSetShape(ShapeContext& c) {
  return SetSparse(c, kUnknown, c.inputs[0].rank_known() ? c.inputs[0].rank() : kUnknown);
}
// One dense and one sparse operand, of equal rank.
absl::Status DenseAndSparseSetShape(ShapeContext& c) {
  int64_t rank = c.inputs[0].rank_known() ? c.inputs[0].rank() : kUnknown;
  SLUICE_ASSIGN(rank, MergedSize(rank, RankHeld(c, 3)));
  if (c.inputs[1].rank() == 2) {
    SLUICE_ASSIGN(rank, MergedSize(rank, c.inputs[1].dim(1)));
  }
  return SetSparse(c, kUnknown, rank);
}

absl::Status SetSizeShape(ShapeContext& c) {  // of every set: all but the last size
  SLUICE_ASSIGN(const PartialShape sets, c.StatedBy(2));
  if (sets.rank() > 0) c.outputs[0] = SubShape(sets, 0, sets.rank() - 1);
  return absl::OkStatus();
}

absl::Status SparseSetShape(ShapeContext& c) {
  SLUICE_ASSIGN(const int64_t rank, MergedSize(RankHeld(c, 2), RankHeld(c, 5)));
  return SetSparse(c, kUnknown, rank);
}

absl::Status ToDenseShape(ShapeContext& c) {  // indices, shape, ...
  SLUICE_ASSIGN(c.outputs[0], c.StatedBy(1));
  return absl::OkStatus();
}

absl::Status EditDistanceShape(ShapeContext& c) {
  SLUICE_ASSIGN(const PartialShape hypothesis, c.StatedBy(2));
  SLUICE_ASSIGN(const PartialShape truth, c.StatedBy(5));
  if (!hypothesis.fully_known() || !truth.fully_known()) return absl::OkStatus();
  if (hypothesis.rank() != truth.rank() || truth.rank() < 1) {
    return InvalidArgument("hypothesis_shape and truth_shape must have the same length, got ",
                           hypothesis, " and ", truth);
  }
  Shape::Dims dims;
  for (int d = 0; d + 1 < truth.rank(); ++d)
    dims.push_back(std::max(hypothesis.dim(d), truth.dim(d)));
  return c.Set(0, dims);
}

constexpr ShapeRule kRules[] = {
    {"AddManySparseToTensorsMap", AddManyToMapShape},
    {"AddSparseToTensorsMap", AddToMapShape},
    {"CSRSparseMatrixComponents", VectorOfUnknownSize},
    {"CSRSparseMatrixToDense", NothingKnown},
    {"CSRSparseMatrixToSparseTensor", SomeSparseShape},
    {"DenseToCSRSparseMatrix", AllScalars},
    {"DenseToDenseSetOperation", DenseSetShape},
    {"DenseToSparseSetOperation", DenseAndSparseSetShape},
    {"DeserializeManySparse", SomeSparseShape},
    {"DeserializeSparse", SomeSparseShape},
    {"EditDistance", EditDistanceShape},
    {"SerializeManySparse", SerializeManyShape},
    {"SerializeSparse", SerializeShape},
    {"SetSize", SetSizeShape},
    {"SparseAdd", LikeThird},
    {"SparseAddGrad", AddGradShape},
    {"SparseConcat", ConcatShape},
    {"SparseCross", CrossShape},
    {"SparseCrossHashed", CrossShape},
    {"SparseCrossV2", CrossShape},
    {"SparseDenseCwiseAdd", ValuesShape},
    {"SparseDenseCwiseDiv", ValuesShape},
    {"SparseDenseCwiseMul", ValuesShape},
    {"SparseFeatureCross", CrossShape},
    {"SparseFeatureCrossV2", CrossShape},
    {"SparseFillEmptyRows", FillEmptyRowsShape},
    {"SparseFillEmptyRowsGrad", FillEmptyRowsGradShape},
    {"SparseMatrixMatMul", NothingKnown},
    {"SparseMatrixNNZ", NothingKnown},
    {"SparseMatrixOrderingAMD", NothingKnown},
    {"SparseMatrixSparseCholesky", AllScalars},
    {"SparseMatrixSparseMatMul", AllScalars},
    {"SparseMatrixTranspose", AllScalars},
    {"SparseReduceMax", ReduceShape},
    {"SparseReduceMaxSparse", SomeSparseShape},
    {"SparseReduceSum", ReduceShape},
    {"SparseReduceSumSparse", SomeSparseShape},
    {"SparseReorder", ReorderShape},
    {"SparseReshape", ReshapeShape},
    {"SparseSegmentMean", SegmentShape},
    {"SparseSegmentMeanGrad", SparseSegmentGradShape},
    {"SparseSegmentMeanGradV2", SparseSegmentGradV2Shape},
    {"SparseSegmentMeanWithNumSegments", SparseSegmentWithCountShape},
    {"SparseSegmentSqrtN", SegmentShape},
    {"SparseSegmentSqrtNGrad", SparseSegmentGradShape},
    {"SparseSegmentSqrtNGradV2", SparseSegmentGradV2Shape},
    {"SparseSegmentSqrtNWithNumSegments", SparseSegmentWithCountShape},
    {"SparseSegmentSum", SegmentShape},
    {"SparseSegmentSumGrad", SparseSegmentGradShape},
    {"SparseSegmentSumGradV2", SparseSegmentGradV2Shape},
    {"SparseSegmentSumWithNumSegments", SparseSegmentWithCountShape},
    {"SparseSlice", LikeThird},
    {"SparseSliceGrad", SliceGradShape},
    {"SparseSoftmax", SoftmaxShape},
    {"SparseSparseMaximum", ExtremeShape},
    {"SparseSparseMinimum", ExtremeShape},
    {"SparseSplit", SplitShape},
    {"SparseTensorDenseAdd", LikeFourth},
    {"SparseTensorDenseMatMul", MatMulShape},
    {"SparseTensorToCSRSparseMatrix", AllScalars},
    {"SparseToDense", ToDenseShape},
    {"SparseToSparseSetOperation", SparseSetShape},
    {"TakeManySparseFromTensorsMap", TakeFromMapShape},
};

}  // namespace

absl::Span<const ShapeRule> SparseRules() { return kRules; }

}  // namespace sluice::graph
