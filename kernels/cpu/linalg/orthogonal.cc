// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/linalg/orthogonal.h"

#include "kernels/cpu/linalg/cancellable_eigen.h"

#include <Eigen/QR>

namespace sluice::kernels {
namespace {

template <typename T>
void Solve(const T* a, int64_t rows, int64_t columns, const T* b, int64_t sides, T* x) {
  using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::CompleteOrthogonalDecomposition<Matrix> decomposition(
      Eigen::Map<const Matrix>(a, rows, columns));
  Eigen::Map<Matrix>(x, columns, sides) =
      decomposition.solve(Eigen::Map<const Matrix>(b, rows, sides));
}

}  // namespace

void SolveOrthogonal(const double* a, int64_t rows, int64_t columns, const double* b, int64_t sides,
                     double* x) {
  Solve(a, rows, columns, b, sides, x);
}

void SolveOrthogonal(const std::complex<double>* a, int64_t rows, int64_t columns,
                     const std::complex<double>* b, int64_t sides, std::complex<double>* x) {
  Solve(a, rows, columns, b, sides, x);
}

}  // namespace sluice::kernels
