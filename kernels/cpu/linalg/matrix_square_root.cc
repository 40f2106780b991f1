// SPDX-License-Identifier: Apache-2.0
// The root of a negative eigenvalue is NaN, although Eigen asserts that there is none.
#define EIGEN_NO_DEBUG
#include "kernels/cpu/linalg/cancellable_eigen.h"

#include <Eigen/LU>
#include <unsupported/Eigen/MatrixFunctions>

#include "kernels/cpu/linalg/matrix_functions.h"

namespace sluice::kernels {

void MatrixSquareRoot(const double* a, int64_t n, double* out) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::MatrixXd matrix = Eigen::Map<const RowMajor>(a, n, n);
  const Eigen::MatrixXd root = matrix.sqrt();
  Eigen::Map<RowMajor>(out, n, n) = root;
}

}  // namespace sluice::kernels
