// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/math/sparse_matmul_plan.h"

#include "kernels/common/axis.h"

namespace sluice::kernels {

absl::StatusOr<SparseMatMulPlan> SparseMatMulPlan::Create(const NodeSpec& node) {
  SLUICE_ASSIGN(bool a, node.Get<bool>("adjoint_a"));
  SLUICE_ASSIGN(bool b, node.Get<bool>("adjoint_b"));
  return SparseMatMulPlan{a, b};
}

absl::StatusOr<SparseMatMulPlan::Sizes> SparseMatMulPlan::CheckInputs(
    const KernelContext& ctx) const {
  const Tensor &indices = ctx.input(0), &values = ctx.input(1), &shape = ctx.input(2),
               &b = ctx.input(3);
  if (b.rank() != 2) return InvalidArgument("Tensor 'b' is not a matrix");
  if (shape.rank() != 1) return InvalidArgument("Tensor 'a_shape' is not a vector");
  if (shape.dim(0) != 2)
    return InvalidArgument("Tensor 'a_shape' must have 2 elements, got ", shape.dim(0));
  if (values.rank() != 1) return InvalidArgument("Tensor 'a_values' is not a vector");
  if (indices.rank() != 2) return InvalidArgument("Tensor 'a_indices' is not a matrix");
  if (indices.dim(0) != values.dim(0)) {
    return InvalidArgument("Number of rows of a_indices does not match number of entries in ",
                           "a_values");
  }
  if (indices.dim(1) != 2)
    return InvalidArgument("Number of columns of a_indices must be 2, got ", indices.dim(1));
  SLUICE_ASSIGN(const Shape a, ShapeFrom(shape));
  const int64_t outer = a.dim(adjoint_a ? 1 : 0), inner = a.dim(adjoint_a ? 0 : 1);
  const int64_t rows = b.dim(adjoint_b ? 1 : 0), columns = b.dim(adjoint_b ? 0 : 1);
  if (inner != rows) {
    return InvalidArgument("Cannot multiply A and B because inner dimension does not match: ",
                           inner, " vs. ", rows, ".  Did you forget a transpose?  Dimensions of ",
                           "A: [", a.dim(0), ", ", a.dim(1), ").  Dimensions of B: ", b.shape());
  }
  return Sizes{outer, inner, columns};
}

}  // namespace sluice::kernels
