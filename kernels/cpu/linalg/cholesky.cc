// SPDX-License-Identifier: Apache-2.0
// Cholesky: a = l l^H with l lower triangular, and its gradient.
#include "core/op/producer_version.h"
#include "kernels/cpu/linalg/cancellable_eigen.h"

#include <Eigen/Cholesky>
#include <limits>

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

double Cubed(int64_t n) {
  return static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
}

// A matrix that is not positive definite is an error in 1.x; since 2.x, l is NaN.
struct Cholesky {
  bool as_in_1x;

  static absl::StatusOr<Cholesky> Create(const NodeSpec& node) {
    return Cholesky{IsFrom1x(node)};
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Matrices m, SquareMatricesOf(ctx, 0));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, ctx.input(0).shape()));
    if (m.size() == 0) return absl::OkStatus();
    return VisitDType(LinalgTypes{}, out->dtype(), [&]<typename T>(Type<T>) {
      return TryEach(ctx.pool(), m.count, Cubed(m.rows) / 3 + 50, [&](int64_t i) -> absl::Status {
        const MatrixIn<T> a(ctx.input(0).data<T>() + i * m.size(), m.rows, m.rows);
        const Eigen::LLT<Matrix<T>> llt(a);
        MatrixOut<T> l(out->mutable_data<T>() + i * m.size(), m.rows, m.rows);
        if (llt.info() == Eigen::Success) {
          l = llt.matrixL();
        } else if (as_in_1x) {
          return InvalidArgument(
              "Cholesky decomposition was not successful. The input might not be valid.");
        } else {
          l.setZero();
          l.template triangularView<Eigen::Lower>().setConstant(
              T(std::numeric_limits<typename Eigen::NumTraits<T>::Real>::quiet_NaN()));
        }
        return absl::OkStatus();
      });
    });
  }
};

// The gradient from l and dl: l^-T phi(l^T dl) l^-1, made symmetric. phi takes the lower triangle
// and halves the diagonal (Murray, "Differentiation of the Cholesky decomposition", 2016).
struct CholeskyGrad {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Matrices m, MatricesOf(ctx, 0));
    SLUICE_ASSIGN(const Matrices other, MatricesOf(ctx, 1));
    SLUICE_RETURN_IF_ERROR(CheckSameBatch(m, other));
    if (m.rows != other.rows || m.columns != other.columns)
      return InvalidArgument("Inputs (L and grad) must have the same shape.");
    if (m.rows != m.columns) return InvalidArgument("Inputs must be a square matrices.");
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, ctx.input(0).shape()));
    if (m.size() == 0) return absl::OkStatus();
    return VisitDType(TypeList<float, double>{}, out->dtype(), [&]<typename T>(Type<T>) {
      return TryEach(ctx.pool(), m.count, 3 * Cubed(m.rows) + 50, [&](int64_t i) {
        const MatrixIn<T> whole(ctx.input(0).data<T>() + i * m.size(), m.rows, m.rows);
        const MatrixIn<T> gradient(ctx.input(1).data<T>() + i * m.size(), m.rows, m.rows);
        const Matrix<T> l = whole.template triangularView<Eigen::Lower>();
        const Matrix<T> dl = gradient.template triangularView<Eigen::Lower>();
        Matrix<T> phi = l.transpose() * dl;
        phi = phi.template triangularView<Eigen::Lower>();
        phi.diagonal() *= T(0.5);
        const auto upper = l.transpose().template triangularView<Eigen::Upper>();
        upper.solveInPlace(phi);  // l^-T phi
        Matrix<T> turned = phi.transpose();
        upper.solveInPlace(turned);  // its transpose times l^-1, transposed
        MatrixOut<T>(out->mutable_data<T>() + i * m.size(), m.rows, m.rows) =
            T(0.5) * (turned + turned.transpose());
        return absl::OkStatus();
      });
    });
  }
};

}  // namespace

void RegisterCholesky(KernelRegistry& kernels) {
  for (const char* op : {"Cholesky", "BatchCholesky"})
    kernels.Add<Cholesky>(op, kCpu, {{"T", kLinalg}});
  for (const char* op : {"CholeskyGrad", "BatchCholeskyGrad"})
    kernels.Add<CholeskyGrad>(op, kCpu, {{"T", {kFloat, kDouble}}});
}

}  // namespace sluice::kernels
