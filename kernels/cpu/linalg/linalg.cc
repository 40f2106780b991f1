// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/linalg/linalg.h"

#include <cstring>

#include "core/status.h"
#include "kernels/common/broadcast.h"

namespace sluice::kernels {

absl::StatusOr<Matrices> MatricesOf(const KernelContext& ctx, int i) {
  const Tensor& input = ctx.input(i);
  const int rank = input.rank();
  if (rank < 2) {
    if (i > 0) return InvalidArgument("All input tensors must have the same rank.");
    return InvalidArgument("Input tensor ", i, " must have rank >= 2, got ", rank);
  }
  Matrices m;
  m.count = 1;
  for (int d = 0; d < rank - 2; ++d) {
    m.batch.push_back(input.dim(d));
    m.count *= input.dim(d);
  }
  m.rows = input.dim(rank - 2);
  m.columns = input.dim(rank - 1);
  return m;
}

absl::StatusOr<Matrices> SquareMatricesOf(const KernelContext& ctx, int i) {
  SLUICE_ASSIGN(Matrices m, MatricesOf(ctx, i));
  if (m.rows != m.columns) {
    return InvalidArgument("Input matrix must be square, got: ", m.rows, " != ", m.columns);
  }
  return m;
}

absl::Status CheckSameBatch(const Matrices& a, const Matrices& b) {
  if (a.batch == b.batch) return absl::OkStatus();
  const char* what = a.batch.size() == b.batch.size() ? "outer dimensions" : "rank";
  return InvalidArgument("All input tensors must have the same ", what, ".");
}

absl::Status CheckEquations(const Matrices& left, const Matrices& right, bool square) {
  if (square && left.rows != left.columns) {
    return InvalidArgument("First input (lhs) must be a square matrix.");
  }
  if (left.rows == right.rows) return absl::OkStatus();
  return InvalidArgument("Input matrix and rhs are incompatible: ", left.rows, " rows vs ",
                         right.rows);
}

absl::StatusOr<Shape> WithBatch(const Matrices& matrices, std::initializer_list<int64_t> inner) {
  Shape::Dims dims = matrices.batch;
  dims.insert(dims.end(), inner.begin(), inner.end());
  return Shape::Create(dims);
}

absl::StatusOr<Tensor*> AllocateBatch(KernelContext& ctx, int output, const Matrices& matrices,
                                      std::initializer_list<int64_t> inner) {
  SLUICE_ASSIGN(const Shape shape, WithBatch(matrices, inner));
  return ctx.AllocateOutput(output, shape);
}

absl::StatusOr<Tensor*> AllocateEigenvectors(KernelContext& ctx, const Matrices& square,
                                             bool computed) {
  if (computed) return AllocateBatch(ctx, 1, square, {square.rows, square.rows});
  SLUICE_ASSIGN(Tensor * none, ctx.AllocateOutput(1, Shape{}));
  std::memset(none->raw(), 0, none->bytes());
  return none;
}

absl::StatusOr<MatrixPairs> PairMatrices(const Matrices& a, const Matrices& b) {
  SLUICE_ASSIGN(const Shape left, WithBatch(a, {}));
  SLUICE_ASSIGN(const Shape right, WithBatch(b, {}));
  SLUICE_ASSIGN(const BroadcastPlan plan, PlanBroadcast({&left, &right}));
  MatrixPairs pairs;
  pairs.result.batch = Shape::Dims(plan.shape.dims().begin(), plan.shape.dims().end());
  pairs.result.count = plan.shape.num_elements();
  const auto& inner = plan.dims.back();
  WalkRuns(plan, 0, plan.shape.num_elements(), [&](int64_t, const Offsets& at, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
      pairs.left.push_back(at[0] + i * inner.stride[0]);
      pairs.right.push_back(at[1] + i * inner.stride[1]);
    }
  });
  return pairs;
}

}  // namespace sluice::kernels
