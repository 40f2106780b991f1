// SPDX-License-Identifier: Apache-2.0
// Ops on the LU decomposition with partial pivoting: inverse, determinant, solution of linear
// equations, and the factors themselves.
#include "kernels/cpu/linalg/cancellable_eigen.h"

#include <Eigen/LU>

#include "kernels/cpu/common/try_each.h"
#include "kernels/cpu/linalg/linalg.h"
#include "kernels/cpu/linalg/register.h"

namespace sluice::kernels {
namespace {

// Up to this size, the factors are on the stack: a matrix of 4 x 4 is inverted a third faster.
constexpr int kSmall = 16;

template <typename T, int kMost = Eigen::Dynamic>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, kMost, kMost>;
template <typename T>
using MatrixIn = Eigen::Map<const Matrix<T>>;
template <typename T>
using MatrixOut = Eigen::Map<Matrix<T>>;
template <typename T, int kMost = Eigen::Dynamic>
using Factors = Eigen::PartialPivLU<Matrix<T, kMost>>;

double Cubed(int64_t n) {
  return static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
}

// A NaN pivot counts as singular too.
template <typename Lu>
bool Invertible(const Lu& lu) {
  return lu.matrixLU().diagonal().cwiseAbs().minCoeff() > 0;
}

template <typename T, int kMost = Eigen::Dynamic>
Factors<T, kMost> Factorise(const T* data, int64_t n, bool adjoint = false) {
  const MatrixIn<T> a(data, n, n);
  return adjoint ? Factors<T, kMost>(a.adjoint()) : Factors<T, kMost>(a);
}

template <typename T, int kMost>
absl::Status Invert(const T* in, int64_t n, bool adjoint, T* out) {
  const auto lu = Factorise<T, kMost>(in, n, adjoint);
  if (!Invertible(lu)) return InvalidArgument("Input is not invertible.");
  MatrixOut<T>(out, n, n) = lu.inverse();
  return absl::OkStatus();
}

struct MatrixInverse {
  bool adjoint;

  static absl::StatusOr<MatrixInverse> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(bool adjoint, node.Get<bool>("adjoint"));
    return MatrixInverse{adjoint};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Matrices m, SquareMatricesOf(ctx, 0));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, ctx.input(0).shape()));
    if (m.size() == 0) return absl::OkStatus();
    return VisitDType(LinalgTypes{}, out->dtype(), [&]<typename T>(Type<T>) {
      return TryEach(ctx.pool(), m.count, 2 * Cubed(m.rows) + 50, [&](int64_t i) {
        const T* const in = ctx.input(0).data<T>() + i * m.size();
        T* const to = out->mutable_data<T>() + i * m.size();
        return m.rows <= kSmall ? Invert<T, kSmall>(in, m.rows, adjoint, to)
                                : Invert<T, Eigen::Dynamic>(in, m.rows, adjoint, to);
      });
    });
  }
};

struct MatrixSolve {
  bool adjoint;

  static absl::StatusOr<MatrixSolve> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(bool adjoint, node.Get<bool>("adjoint"));
    return MatrixSolve{adjoint};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Matrices m, MatricesOf(ctx, 0));
    SLUICE_ASSIGN(const Matrices rhs, MatricesOf(ctx, 1));
    SLUICE_RETURN_IF_ERROR(CheckSameBatch(m, rhs));
    SLUICE_RETURN_IF_ERROR(CheckEquations(m, rhs, true));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, ctx.input(1).shape()));
    if (out->num_elements() == 0) return absl::OkStatus();
    return VisitDType(LinalgTypes{}, out->dtype(), [&]<typename T>(Type<T>) {
      return TryEach(ctx.pool(), m.count, Cubed(m.rows) + 50, [&](int64_t i) {
        const auto lu = Factorise(ctx.input(0).data<T>() + i * m.size(), m.rows);
        if (!Invertible(lu)) return InvalidArgument("Input matrix is not invertible.");
        const MatrixIn<T> b(ctx.input(1).data<T>() + i * rhs.size(), rhs.rows, rhs.columns);
        MatrixOut<T> x(out->mutable_data<T>() + i * rhs.size(), rhs.rows, rhs.columns);
        if (adjoint)
          x = lu.adjoint().solve(b);
        else
          x = lu.solve(b);
        return absl::OkStatus();
      });
    });
  }
};

// det = sign * exp(log), |sign| = 1. A singular matrix has sign 0 and log -inf.
template <typename T>
struct Determinant {
  using Real = typename Eigen::NumTraits<T>::Real;
  T sign{1};
  Real log = 0;

  static Determinant Of(const T* data, int64_t n) {
    Determinant d;
    if (n == 0) return d;
    const Factors<T> lu = Factorise(data, n);
    d.sign = static_cast<T>(static_cast<Real>(lu.permutationP().determinant()));
    for (int64_t i = 0; i < n; ++i) {
      const T pivot = lu.matrixLU()(i, i);
      const Real size = std::abs(pivot);
      d.log += std::log(size);
      d.sign *= pivot / size;
    }
    if (std::isnan(d.log)) {
      d.sign = T(d.log);
    } else if (!std::isfinite(d.log)) {
      d.sign = T(0);
      d.log = d.log > 0 ? std::numeric_limits<Real>::infinity()
                        : -std::numeric_limits<Real>::infinity();
    }
    return d;
  }
};

template <bool kLog>
struct MatrixDeterminant {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Matrices m, SquareMatricesOf(ctx, 0));
    SLUICE_ASSIGN(Tensor * out, AllocateBatch(ctx, 0, m, {}));
    Tensor* logs = nullptr;
    if (kLog) {
      SLUICE_ASSIGN(logs, AllocateBatch(ctx, 1, m, {}));
    }
    return VisitDType(LinalgTypes{}, out->dtype(), [&]<typename T>(Type<T>) {
      return TryEach(ctx.pool(), m.count, Cubed(m.rows) + 50, [&](int64_t i) {
        const auto d = Determinant<T>::Of(ctx.input(0).data<T>() + i * m.size(), m.rows);
        out->mutable_data<T>()[i] = kLog ? d.sign : d.sign * T(std::exp(d.log));
        if (kLog) logs->mutable_data<T>()[i] = T(d.log);
        return absl::OkStatus();
      });
    });
  }
};

struct Lu {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Matrices m, SquareMatricesOf(ctx, 0));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, ctx.input(0).shape()));
    SLUICE_ASSIGN(Tensor * rows, AllocateBatch(ctx, 1, m, {m.rows}));
    if (m.size() == 0) return absl::OkStatus();
    return VisitDType(LinalgTypes{}, out->dtype(), [&]<typename T>(Type<T>) {
      return TryEach(ctx.pool(), m.count, Cubed(m.rows) + 50, [&](int64_t i) {
        const auto lu = Factorise(ctx.input(0).data<T>() + i * m.size(), m.rows);
        if (!Invertible(lu)) return InvalidArgument("Input is not invertible.");
        MatrixOut<T>(out->mutable_data<T>() + i * m.size(), m.rows, m.rows) = lu.matrixLU();
        const auto& places = lu.permutationP().indices();
        return VisitDType(IndexTypes{}, rows->dtype(), [&]<typename I>(Type<I>) {
          I* from = rows->mutable_data<I>() + i * m.rows;
          for (int64_t row = 0; row < m.rows; ++row) from[places[row]] = static_cast<I>(row);
          return absl::OkStatus();
        });
      });
    });
  }
};

}  // namespace

void RegisterLu(KernelRegistry& kernels) {
  for (const char* op : {"MatrixInverse", "BatchMatrixInverse"})
    kernels.Add<MatrixInverse>(op, kCpu, {{"T", kLinalg}});
  for (const char* op : {"MatrixSolve", "BatchMatrixSolve"})
    kernels.Add<MatrixSolve>(op, kCpu, {{"T", kLinalg}});
  for (const char* op : {"MatrixDeterminant", "BatchMatrixDeterminant"})
    kernels.Add<MatrixDeterminant<false>>(op, kCpu, {{"T", kLinalg}});
  kernels.Add<MatrixDeterminant<true>>("LogMatrixDeterminant", kCpu, {{"T", kLinalg}});
  kernels.Add<Lu>("Lu", kCpu, {{"T", kLinalg}, {"output_idx_type", kIndex}});
}

}  // namespace sluice::kernels
