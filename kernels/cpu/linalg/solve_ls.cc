// SPDX-License-Identifier: Apache-2.0
// MatrixSolveLs: linear least squares, by the normal equations (fast) or by a complete orthogonal
// decomposition.
#include "kernels/cpu/linalg/cancellable_eigen.h"

#include <Eigen/Cholesky>

#include "kernels/cpu/common/try_each.h"
#include "kernels/cpu/linalg/linalg.h"
#include "kernels/cpu/linalg/orthogonal.h"
#include "kernels/cpu/linalg/register.h"
#include "kernels/cpu/linalg/wide.h"

namespace sluice::kernels {
namespace {

template <typename T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <typename T>
using MatrixIn = Eigen::Map<const Matrix<T>>;
template <typename T>
using MatrixOut = Eigen::Map<Matrix<T>>;

// Overdetermined systems: (a^H a + l2 I)^-1 a^H b. Others: the shortest solution, a^H (a a^H + l2
// I)^-1 b.
template <typename T>
absl::Status SolveNormal(const MatrixIn<T>& a, const MatrixIn<T>& b, double l2, MatrixOut<T> x) {
  const bool tall = a.rows() >= a.cols();
  Matrix<T> gram = tall ? Matrix<T>(a.adjoint() * a) : Matrix<T>(a * a.adjoint());
  gram.diagonal().array() += T(l2);
  const Eigen::LLT<Matrix<T>> llt(gram);
  if (llt.info() != Eigen::Success) {
    return InvalidArgument(
        "Input matrix was rank deficient or ill-conditioned. Try setting fast=False or provide a "
        "larger l2_regularizer > 0.");
  }
  if (tall)
    x = llt.solve(a.adjoint() * b);
  else
    x = a.adjoint() * llt.solve(b);
  return absl::OkStatus();
}

struct MatrixSolveLs {
  bool fast;

  static absl::StatusOr<MatrixSolveLs> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(bool fast, node.Get<bool>("fast"));
    return MatrixSolveLs{fast};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Matrices m, MatricesOf(ctx, 0));
    SLUICE_ASSIGN(const Matrices rhs, MatricesOf(ctx, 1));
    SLUICE_RETURN_IF_ERROR(CheckSameBatch(m, rhs));
    SLUICE_RETURN_IF_ERROR(CheckEquations(m, rhs, false));
    if (ctx.input(2).rank() != 0)
      return InvalidArgument("l2_regularizer must be scalar, got shape ", ctx.input(2).shape());
    const double l2 = ctx.input(2).scalar<double>();
    if (!(l2 >= 0)) return InvalidArgument("l2_regularizer must be >= 0.");
    SLUICE_ASSIGN(Tensor * out, AllocateBatch(ctx, 0, m, {m.columns, rhs.columns}));
    if (out->num_elements() == 0) return absl::OkStatus();
    const double cost =
        2 * static_cast<double>(m.size()) * static_cast<double>(std::min(m.rows, m.columns)) + 100;
    return VisitDType(LinalgTypes{}, out->dtype(), [&]<typename T>(Type<T>) {
      if (m.rows == 0) {
        std::fill_n(out->mutable_data<T>(), out->num_elements(), T(0));
        return absl::OkStatus();
      }
      return TryEach(ctx.pool(), m.count, cost, [&](int64_t i) {
        const T* a = ctx.input(0).data<T>() + i * m.size();
        const T* b = ctx.input(1).data<T>() + i * rhs.size();
        T* x = out->mutable_data<T>() + i * m.columns * rhs.columns;
        if (fast) {
          return SolveNormal<T>(MatrixIn<T>(a, m.rows, m.columns),
                                MatrixIn<T>(b, rhs.rows, rhs.columns), l2,
                                MatrixOut<T>(x, m.columns, rhs.columns));
        }
        std::vector<Wide<T>> wide(m.columns * rhs.columns);
        SolveOrthogonal(Widened(a, m.size()).data(), m.rows, m.columns,
                        Widened(b, rhs.size()).data(), rhs.columns, wide.data());
        CopyNarrowed(wide, x);
        return absl::OkStatus();
      });
    });
  }
};

}  // namespace

void RegisterSolveLs(KernelRegistry& kernels) {
  for (const char* op : {"MatrixSolveLs", "BatchMatrixSolveLs"})
    kernels.Add<MatrixSolveLs>(op, kCpu, {{"T", kLinalg}});
}

}  // namespace sluice::kernels
