// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/linalg/cancellable_eigen.h"

#include <Eigen/LU>
#include <unsupported/Eigen/MatrixFunctions>

#include "kernels/cpu/linalg/matrix_functions.h"

namespace sluice::kernels {
namespace {

template <typename T>
void Compute(const T* a, int64_t n, T* out) {
  using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
  using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Matrix matrix = Eigen::Map<const RowMajor>(a, n, n);
  const Matrix result = matrix.exp();
  Eigen::Map<RowMajor>(out, n, n) = result;
}

}  // namespace

void MatrixExponential(const double* a, int64_t n, double* out) { Compute(a, n, out); }

void MatrixExponential(const std::complex<double>* a, int64_t n, std::complex<double>* out) {
  Compute(a, n, out);
}

}  // namespace sluice::kernels
