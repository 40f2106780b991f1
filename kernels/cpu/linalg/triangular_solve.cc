// SPDX-License-Identifier: Apache-2.0
// MatrixTriangularSolve; batch dimensions broadcast.
#include "kernels/cpu/linalg/cancellable_eigen.h"

#include <Eigen/Core>

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

struct MatrixTriangularSolve {
  bool lower, adjoint;

  static absl::StatusOr<MatrixTriangularSolve> Create(const NodeSpec& node) {
    MatrixTriangularSolve made;
    SLUICE_ASSIGN(made.lower, node.Get<bool>("lower"));
    SLUICE_ASSIGN(made.adjoint, node.Get<bool>("adjoint"));
    return made;
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Matrices m, MatricesOf(ctx, 0));
    SLUICE_ASSIGN(const Matrices rhs, MatricesOf(ctx, 1));
    SLUICE_RETURN_IF_ERROR(CheckEquations(m, rhs, true));
    SLUICE_ASSIGN(const MatrixPairs pairs, PairMatrices(m, rhs));
    SLUICE_ASSIGN(Tensor * out, AllocateBatch(ctx, 0, pairs.result, {rhs.rows, rhs.columns}));
    if (out->num_elements() == 0) return absl::OkStatus();
    const double cost = static_cast<double>(m.size()) * static_cast<double>(rhs.columns) + 50;
    return VisitDType(LinalgTypes{}, out->dtype(), [&]<typename T>(Type<T>) {
      return TryEach(ctx.pool(), pairs.result.count, cost, [&](int64_t i) {
        const T* a = ctx.input(0).data<T>() + pairs.left[i] * m.size();
        const T* b = ctx.input(1).data<T>() + pairs.right[i] * rhs.size();
        return Solve(MatrixIn<T>(a, m.rows, m.rows), MatrixIn<T>(b, rhs.rows, rhs.columns),
                     MatrixOut<T>(out->mutable_data<T>() + i * rhs.size(), rhs.rows, rhs.columns));
      });
    });
  }

 private:
  template <typename T>
  absl::Status Solve(const MatrixIn<T>& a, const MatrixIn<T>& b, MatrixOut<T> x) const {
    if (!(a.diagonal().cwiseAbs().minCoeff() > 0))
      return InvalidArgument("Input matrix is not invertible.");
    x = b;
    if (lower && adjoint)
      a.template triangularView<Eigen::Lower>().adjoint().solveInPlace(x);
    else if (lower)
      a.template triangularView<Eigen::Lower>().solveInPlace(x);
    else if (adjoint)
      a.template triangularView<Eigen::Upper>().adjoint().solveInPlace(x);
    else
      a.template triangularView<Eigen::Upper>().solveInPlace(x);
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterTriangularSolve(KernelRegistry& kernels) {
  for (const char* op : {"MatrixTriangularSolve", "BatchMatrixTriangularSolve"})
    kernels.Add<MatrixTriangularSolve>(op, kCpu, {{"T", kLinalg}});
}

}  // namespace sluice::kernels
