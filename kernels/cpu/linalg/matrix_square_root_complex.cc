// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/linalg/cancellable_eigen.h"

#include <Eigen/LU>
#include <unsupported/Eigen/MatrixFunctions>

#include "kernels/cpu/linalg/matrix_functions.h"

namespace sluice::kernels {

void MatrixSquareRoot(const std::complex<double>* a, int64_t n, std::complex<double>* out) {
  using RowMajor =
      Eigen::Matrix<std::complex<double>, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::MatrixXcd matrix = Eigen::Map<const RowMajor>(a, n, n);
  const Eigen::MatrixXcd root = matrix.sqrt();
  Eigen::Map<RowMajor>(out, n, n) = root;
}

}  // namespace sluice::kernels
