// SPDX-License-Identifier: Apache-2.0
// Eigenvalues and eigenvectors of any square matrices. All types are solved in complex numbers of
// double precision, because a solver takes long to compile.
#include "kernels/cpu/linalg/cancellable_eigen.h"

#include <Eigen/Eigenvalues>

#include "kernels/cpu/common/try_each.h"
#include "kernels/cpu/linalg/linalg.h"
#include "kernels/cpu/linalg/register.h"

namespace sluice::kernels {
namespace {

template <typename T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// The output's dtype is the complex one of the input's precision, or the other.
struct Eig {
  bool compute_v;

  static absl::StatusOr<Eig> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const bool compute_v, node.Get<bool>("compute_v"));
    return Eig{compute_v};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Matrices m, SquareMatricesOf(ctx, 0));
    SLUICE_ASSIGN(Tensor * values, AllocateBatch(ctx, 0, m, {m.rows}));
    SLUICE_ASSIGN(Tensor * vectors, AllocateEigenvectors(ctx, m, compute_v));
    if (m.size() == 0) return absl::OkStatus();
    const auto n = static_cast<double>(m.rows);
    return TryEach(ctx.pool(), m.count, 30 * n * n * n + 100,
                   [&](int64_t i) { return Decompose(ctx.input(0), m, i, *values, *vectors); });
  }

 private:
  absl::Status Decompose(const Tensor& input, const Matrices& m, int64_t i, Tensor& values,
                         Tensor& vectors) const {
    Matrix<Complex128> matrix(m.rows, m.rows);
    SLUICE_RETURN_IF_ERROR(VisitDType(LinalgTypes{}, input.dtype(), [&]<typename T>(Type<T>) {
      std::copy_n(input.data<T>() + i * m.size(), m.size(), matrix.data());
      return absl::OkStatus();
    }));
    Eigen::ComplexEigenSolver<Matrix<Complex128>> solver;
    solver.compute(matrix, compute_v);
    if (solver.info() != Eigen::Success) {
      return InvalidArgument(
          "Eigen decomposition was not successful. The input might not be valid.");
    }
    return VisitDType(TypeList<Complex64, Complex128>{}, values.dtype(), [&]<typename T>(Type<T>) {
      for (int64_t k = 0; k < m.rows; ++k)
        values.mutable_data<T>()[i * m.rows + k] = static_cast<T>(solver.eigenvalues()[k]);
      if (compute_v) {
        Eigen::Map<Matrix<T>>(vectors.mutable_data<T>() + i * m.size(), m.rows, m.rows) =
            solver.eigenvectors().template cast<T>();
      }
      return absl::OkStatus();
    });
  }
};

}  // namespace

void RegisterEigenvaluesOfAny(KernelRegistry& kernels) {
  kernels.Add<Eig>("Eig", kCpu, {{"T", kLinalg}, {"Tout", {kComplex64, kComplex128}}});
}

}  // namespace sluice::kernels
