#include <Eigen/LU>
#include <unsupported/Eigen/MatrixFunctions>

#include "kernels/cpu/matrix_functions.h"

namespace sluice::kernels {
namespace {

template <typename T>
void Compute(const T* a, int64_t n, T* out) {
  using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
  using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Matrix matrix = Eigen::Map<const RowMajor>(a, n, n);
  const Matrix result = matrix.log();
  Eigen::Map<RowMajor>(out, n, n) = result;
}

}  // namespace

void MatrixLogarithm(const std::complex<double>* a, int64_t n, std::complex<double>* out) {
  Compute(a, n, out);
}

}  // namespace sluice::kernels
