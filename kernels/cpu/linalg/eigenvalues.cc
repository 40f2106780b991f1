// SPDX-License-Identifier: Apache-2.0
// Eigenvalues and eigenvectors of self-adjoint matrices; only the lower triangle is read. All types
// are solved in double precision, because a solver takes long to compile.
#include "kernels/cpu/linalg/cancellable_eigen.h"

#include <Eigen/Eigenvalues>

#include <type_traits>

#include "kernels/cpu/common/try_each.h"
#include "kernels/cpu/linalg/linalg.h"
#include "kernels/cpu/linalg/register.h"

namespace sluice::kernels {
namespace {

template <typename T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <typename T>
using MatrixIn = Eigen::Map<const Matrix<T>>;
template <typename T>
using MatrixOut = Eigen::Map<Matrix<T>>;
template <typename T>
using Wide = std::conditional_t<std::is_floating_point_v<T>, double, Complex128>;
template <typename T>
using Solver = Eigen::SelfAdjointEigenSolver<Matrix<Wide<T>>>;

double Cost(int64_t n) {
  return 10 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n) + 100;
}

template <typename T>
absl::Status Decompose(const T* data, int64_t n, bool vectors, Solver<T>& solver) {
  solver.compute(MatrixIn<T>(data, n, n).template cast<Wide<T>>(),
                 vectors ? Eigen::ComputeEigenvectors : Eigen::EigenvaluesOnly);
  if (solver.info() == Eigen::Success) return absl::OkStatus();
  return InvalidArgument(
      "Self-adjoint eigen decomposition was not successful. The input might not be valid.");
}

struct SelfAdjointEigV2 {
  bool compute_v;

  static absl::StatusOr<SelfAdjointEigV2> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(bool compute_v, node.Get<bool>("compute_v"));
    return SelfAdjointEigV2{compute_v};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Matrices m, SquareMatricesOf(ctx, 0));
    SLUICE_ASSIGN(Tensor * values, AllocateBatch(ctx, 0, m, {m.rows}));
    SLUICE_ASSIGN(Tensor * vectors, AllocateEigenvectors(ctx, m, compute_v));
    if (m.size() == 0) return absl::OkStatus();
    return VisitDType(LinalgTypes{}, values->dtype(), [&]<typename T>(Type<T>) {
      return TryEach(ctx.pool(), m.count, Cost(m.rows), [&](int64_t i) {
        Solver<T> solver;
        SLUICE_RETURN_IF_ERROR(
            Decompose(ctx.input(0).data<T>() + i * m.size(), m.rows, compute_v, solver));
        for (int64_t k = 0; k < m.rows; ++k)
          values->mutable_data<T>()[i * m.rows + k] = static_cast<T>(solver.eigenvalues()[k]);
        if (compute_v)
          MatrixOut<T>(vectors->mutable_data<T>() + i * m.size(), m.rows, m.rows) =
              solver.eigenvectors().template cast<T>();
        return absl::OkStatus();
      });
    });
  }
};

// One matrix of n + 1 rows: first the eigenvalues, then the eigenvectors as columns.
struct SelfAdjointEig {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Matrices m, SquareMatricesOf(ctx, 0));
    SLUICE_ASSIGN(Tensor * out, AllocateBatch(ctx, 0, m, {m.rows + 1, m.rows}));
    if (m.size() == 0) return absl::OkStatus();
    return VisitDType(TypeList<float, double>{}, out->dtype(), [&]<typename T>(Type<T>) {
      return TryEach(ctx.pool(), m.count, Cost(m.rows), [&](int64_t i) {
        Solver<T> solver;
        SLUICE_RETURN_IF_ERROR(
            Decompose(ctx.input(0).data<T>() + i * m.size(), m.rows, true, solver));
        MatrixOut<T> both(out->mutable_data<T>() + i * (m.rows + 1) * m.rows, m.rows + 1, m.rows);
        both.row(0) = solver.eigenvalues().transpose().template cast<T>();
        both.bottomRows(m.rows) = solver.eigenvectors().template cast<T>();
        return absl::OkStatus();
      });
    });
  }
};

}  // namespace

void RegisterEigenvalues(KernelRegistry& kernels) {
  for (const char* op : {"SelfAdjointEigV2", "BatchSelfAdjointEigV2"})
    kernels.Add<SelfAdjointEigV2>(op, kCpu, {{"T", kLinalg}});
  for (const char* op : {"SelfAdjointEig", "BatchSelfAdjointEig"})
    kernels.Add<SelfAdjointEig>(op, kCpu, {{"T", {kFloat, kDouble}}});
}

}  // namespace sluice::kernels
