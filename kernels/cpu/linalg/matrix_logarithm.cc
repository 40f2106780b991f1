// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/linalg/cancellable_eigen.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <limits>
#include <unsupported/Eigen/MatrixFunctions>

#include "kernels/cpu/linalg/matrix_functions.h"

namespace sluice::kernels {
namespace {

using Matrix = Eigen::Matrix<std::complex<double>, Eigen::Dynamic, Eigen::Dynamic>;
using RowMajor =
    Eigen::Matrix<std::complex<double>, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Eigen takes square roots of the triangular factor until it is close to the identity. For a matrix
// that is singular or overflows, this never ends.
bool RootsReachIdentity(const Matrix& matrix) {
  // each root halves the exponent, or the elements above the diagonal
  constexpr int kMostRoots = 1100;
  constexpr double kClose = 0.25;  // a little less than Eigen requires
  const Eigen::ComplexSchur<Matrix> schur(matrix, /*computeU=*/false);
  if (schur.info() != Eigen::Success) return false;
  Matrix factor = schur.matrixT().triangularView<Eigen::Upper>();
  for (int i = 0; i < kMostRoots && factor.allFinite(); ++i) {
    const Matrix rest = factor - Matrix::Identity(factor.rows(), factor.cols());
    if (rest.cwiseAbs().colwise().sum().maxCoeff() < kClose) return true;
    Matrix root = Matrix::Zero(factor.rows(), factor.cols());
    Eigen::matrix_sqrt_triangular(factor, root);
    factor = root.triangularView<Eigen::Upper>();
  }
  return false;
}

}  // namespace

void MatrixLogarithm(const std::complex<double>* a, int64_t n, std::complex<double>* out) {
  const Matrix matrix = Eigen::Map<const RowMajor>(a, n, n);
  Eigen::Map<RowMajor> result(out, n, n);
  if (n > 2 && !RootsReachIdentity(matrix))
    result.setConstant(std::numeric_limits<double>::quiet_NaN());
  else
    result = matrix.log().eval();
}

}  // namespace sluice::kernels
