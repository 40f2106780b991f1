// Shapes of linear algebra on (batches of) square matrices.
#include "graph/shapes/rules.h"

namespace sluice::graph {
namespace {

absl::Status SquareShape(ShapeContext& c) {
  SLUICE_ASSIGN(PartialShape input, c.OfRankAtLeast(0, 2));
  if (!input.rank_known()) return absl::OkStatus();
  SLUICE_RETURN_IF_ERROR(
      MergedSize(input.dim(input.rank() - 2), input.dim(input.rank() - 1)).status());
  c.outputs[0] = input;
  return absl::OkStatus();
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
  if (matrix.rank_known() && rhs.rank_known() && matrix.rank() == rhs.rank()) c.outputs[0] = rhs;
  return absl::OkStatus();
}

constexpr ShapeRule kRules[] = {
    {"Cholesky", SquareShape},
    {"CholeskyGrad", SquareShape},
    {"LogMatrixDeterminant", DeterminantShape},
    {"MatrixDeterminant", DeterminantShape},
    {"MatrixInverse", SquareShape},
    {"MatrixSolve", SolveShape},
    {"MatrixTriangularSolve", SolveShape},
};

}  // namespace

absl::Span<const ShapeRule> LinalgRules() { return kRules; }

}  // namespace sluice::graph
