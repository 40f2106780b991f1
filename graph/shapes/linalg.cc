// SPDX-License-Identifier: Apache-2.0
// Shapes of linear algebra on (batches of) matrices.
#include <algorithm>

#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "graph/shapes/rules.h"

namespace sluice::graph {
namespace {

absl::Status SquareShape(ShapeContext& c) {
  SLUICE_ASSIGN(PartialShape input, c.OfRankAtLeast(0, 2));
  if (!input.rank_known()) return absl::OkStatus();
  Shape::Dims dims(input.dims().begin(), input.dims().end());
  const int rows = input.rank() - 2;
  SLUICE_ASSIGN(dims[rows], MergedSize(dims[rows], dims[rows + 1]));
  dims[rows + 1] = dims[rows];
  return c.Set(0, dims);
}

absl::Status DeterminantShape(ShapeContext& c) {
  SLUICE_ASSIGN(PartialShape input, c.OfRankAtLeast(0, 2));
  if (!input.rank_known()) return absl::OkStatus();
  for (PartialShape& output : c.outputs) output = SubShape(input, 0, input.rank() - 2);
  return absl::OkStatus();
}

absl::Status SolveShape(ShapeContext& c) {  // matrix, rhs
  SLUICE_ASSIGN(PartialShape matrix, c.OfRankAtLeast(0, 2));
  SLUICE_ASSIGN(PartialShape rhs, c.OfRankAtLeast(1, 2));
  if (!matrix.rank_known() || !rhs.rank_known() || matrix.rank() != rhs.rank())
    return absl::OkStatus();
  const int rank = rhs.rank();
  SLUICE_ASSIGN(int64_t rows, MergedSize(matrix.dim(rank - 2), matrix.dim(rank - 1)));
  SLUICE_ASSIGN(rows, MergedSize(rows, rhs.dim(rank - 2)));
  Shape::Dims dims(rhs.dims().begin(), rhs.dims().end());
  dims[rank - 2] = rows;
  for (int d = 0; d < rank - 2; ++d) {
    if (dims[d] < 0) dims[d] = matrix.dim(d);
  }
  return c.Set(0, dims);
}

// The batch dimensions of a shape of known rank >= 2, followed by `inner`.
absl::StatusOr<PartialShape> WithBatch(const PartialShape& matrices,
                                       std::initializer_list<int64_t> sizes) {
  SLUICE_ASSIGN(const PartialShape inner, PartialShape::Create(sizes));
  return Concatenated(SubShape(matrices, 0, matrices.rank() - 2), inner);
}
int64_t Smaller(int64_t a, int64_t b) {
  if (a == 0 || b == 0) return 0;
  return a < 0 || b < 0 ? -1 : std::min(a, b);
}

absl::Status EigenShape(ShapeContext& c) {
  SLUICE_ASSIGN(PartialShape input, c.OfRankAtLeast(0, 2));
  const bool vectors = GetAttrOr(c.node.attrs, "compute_v", true);
  if (!input.rank_known()) return absl::OkStatus();
  SLUICE_ASSIGN(const int64_t n,
                MergedSize(input.dim(input.rank() - 2), input.dim(input.rank() - 1)));
  SLUICE_ASSIGN(c.outputs[0], WithBatch(input, {n}));
  if (vectors) {
    SLUICE_ASSIGN(c.outputs[1], WithBatch(input, {n, n}));
  }
  return absl::OkStatus();
}

absl::Status StackedEigenShape(ShapeContext& c) {
  SLUICE_ASSIGN(PartialShape input, c.OfRankAtLeast(0, 2));
  if (!input.rank_known()) return absl::OkStatus();
  SLUICE_ASSIGN(const int64_t n,
                MergedSize(input.dim(input.rank() - 2), input.dim(input.rank() - 1)));
  SLUICE_ASSIGN(c.outputs[0], WithBatch(input, {SizeSum(n, 1), n}));
  return absl::OkStatus();
}

absl::Status SvdShape(ShapeContext& c) {
  SLUICE_ASSIGN(PartialShape input, c.OfRankAtLeast(0, 2));
  const bool vectors = GetAttrOr(c.node.attrs, "compute_uv", true);
  if (!input.rank_known()) return absl::OkStatus();
  const int64_t m = input.dim(input.rank() - 2), n = input.dim(input.rank() - 1);
  const int64_t p = Smaller(m, n);
  SLUICE_ASSIGN(c.outputs[0], WithBatch(input, {p}));
  if (!vectors) return absl::OkStatus();
  const bool full = GetAttrOr(c.node.attrs, "full_matrices", false);
  SLUICE_ASSIGN(c.outputs[1], WithBatch(input, {m, full ? m : p}));
  SLUICE_ASSIGN(c.outputs[2], WithBatch(input, {n, full ? n : p}));
  return absl::OkStatus();
}

absl::Status QrShape(ShapeContext& c) {
  SLUICE_ASSIGN(PartialShape input, c.OfRankAtLeast(0, 2));
  if (!input.rank_known()) return absl::OkStatus();
  const int64_t m = input.dim(input.rank() - 2), n = input.dim(input.rank() - 1);
  const int64_t p = GetAttrOr(c.node.attrs, "full_matrices", false) ? m : Smaller(m, n);
  SLUICE_ASSIGN(c.outputs[0], WithBatch(input, {m, p}));
  SLUICE_ASSIGN(c.outputs[1], WithBatch(input, {p, n}));
  return absl::OkStatus();
}

absl::Status LuShape(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(SquareShape(c));
  if (!c.outputs[0].rank_known()) return absl::OkStatus();
  c.outputs[1] = SubShape(c.outputs[0], 0, c.outputs[0].rank() - 1);
  return absl::OkStatus();
}

absl::Status SolveLsShape(ShapeContext& c) {  // matrix, rhs, l2_regularizer
  SLUICE_ASSIGN(PartialShape matrix, c.OfRankAtLeast(0, 2));
  SLUICE_ASSIGN(PartialShape rhs, c.OfRankAtLeast(1, 2));
  if (!matrix.rank_known() || !rhs.rank_known() || matrix.rank() != rhs.rank())
    return absl::OkStatus();
  SLUICE_ASSIGN(c.outputs[0],
                WithBatch(matrix, {matrix.dim(matrix.rank() - 1), rhs.dim(rhs.rank() - 1)}));
  return absl::OkStatus();
}

absl::Status LikeLast(ShapeContext& c) {
  c.outputs[0] = c.inputs.back();
  return absl::OkStatus();
}

// Sizes by label; nothing is known under an ellipsis.
absl::Status EinsumShape(ShapeContext& c) {
  SLUICE_ASSIGN(std::string equation, c.Get<std::string>("equation"));
  absl::StrReplaceAll({{" ", ""}}, &equation);
  const std::vector<std::string> sides = absl::StrSplit(equation, "->");
  if (sides.size() != 2)
    return InvalidArgument("Expecting exactly one '->' in einsum equation: ", equation);
  const std::vector<std::string> operands = absl::StrSplit(sides[0], ',');
  if (operands.size() != c.inputs.size())
    return InvalidArgument("Expected ", operands.size(), " inputs for equation ", equation,
                           " but got: ", c.inputs.size());
  if (absl::StrContains(equation, '.')) return absl::OkStatus();
  absl::flat_hash_map<char, int64_t> sizes;
  for (int i = 0; i < c.num_inputs(); ++i) {
    SLUICE_ASSIGN(const PartialShape input, c.OfRank(i, static_cast<int>(operands[i].size())));
    for (int d = 0; d < input.rank(); ++d) {
      int64_t& size = sizes.try_emplace(operands[i][d], -1).first->second;
      SLUICE_ASSIGN(size, MergedSize(size, input.dim(d)));
    }
  }
  Shape::Dims dims;
  for (char label : sides[1]) {
    const auto it = sizes.find(label);
    if (it == sizes.end())
      return InvalidArgument("Output subscripts has label '", std::string(1, label),
                             "' that no input has: ", equation);
    dims.push_back(it->second);
  }
  return c.Set(0, dims);
}

absl::Status BandedSolveShape(ShapeContext& c) {  // bands, rhs
  SLUICE_ASSIGN(const PartialShape bands, c.OfRankAtLeast(0, 2));
  SLUICE_ASSIGN(const PartialShape rhs, c.OfRankAtLeast(1, 2));
  if (!bands.rank_known() || !rhs.rank_known()) return absl::OkStatus();
  SLUICE_ASSIGN(const int64_t n, MergedSize(bands.dim(bands.rank() - 1), rhs.dim(rhs.rank() - 2)));
  const int64_t count = bands.dim(bands.rank() - 2);
  if (n >= 0 && count > n) {
    return InvalidArgument("Number of bands ", count, " cannot exceed the size of the matrix ", n);
  }
  SLUICE_ASSIGN(const PartialShape batch, BroadcastShapes(SubShape(bands, 0, bands.rank() - 2),
                                                          SubShape(rhs, 0, rhs.rank() - 2)));
  SLUICE_ASSIGN(const PartialShape inner, PartialShape::Create({n, rhs.dim(rhs.rank() - 1)}));
  SLUICE_ASSIGN(c.outputs[0], Concatenated(batch, inner));
  return absl::OkStatus();
}

constexpr ShapeRule kRules[] = {
    {"BandedTriangularSolve", BandedSolveShape},
    {"BatchCholesky", SquareShape},
    {"BatchCholeskyGrad", SquareShape},
    {"BatchMatrixDeterminant", DeterminantShape},
    {"BatchMatrixInverse", SquareShape},
    {"BatchMatrixSolve", SolveShape},
    {"BatchMatrixSolveLs", SolveLsShape},
    {"BatchMatrixTriangularSolve", SolveShape},
    {"BatchSelfAdjointEig", StackedEigenShape},
    {"BatchSelfAdjointEigV2", EigenShape},
    {"BatchSvd", SvdShape},
    {"Cholesky", SquareShape},
    {"CholeskyGrad", SquareShape},
    {"Eig", EigenShape},
    {"Einsum", EinsumShape},
    {"LogMatrixDeterminant", DeterminantShape},
    {"Lu", LuShape},
    {"MatrixDeterminant", DeterminantShape},
    {"MatrixExponential", SquareShape},
    {"MatrixInverse", SquareShape},
    {"MatrixLogarithm", SquareShape},
    {"MatrixSolve", SolveShape},
    {"MatrixSolveLs", SolveLsShape},
    {"MatrixSquareRoot", SquareShape},
    {"MatrixTriangularSolve", SolveShape},
    {"Qr", QrShape},
    {"SelfAdjointEig", StackedEigenShape},
    {"SelfAdjointEigV2", EigenShape},
    {"Svd", SvdShape},
    {"TridiagonalMatMul", LikeLast},
    {"TridiagonalSolve", LikeLast},
};

}  // namespace

absl::Span<const ShapeRule> LinalgRules() { return kRules; }

}  // namespace sluice::graph
