// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/linalg/singular_values.h"

#include "kernels/cpu/linalg/jacobi_svd.h"

namespace sluice::kernels {

void SingularValues(const std::complex<double>* a, int64_t rows, int64_t columns, bool full,
                    std::complex<double>* s, std::complex<double>* u, std::complex<double>* v) {
  using Matrix = RowMajorMatrix<std::complex<double>>;
  unsigned options = 0;
  if (u != nullptr) {
    options = full ? Eigen::ComputeFullU | Eigen::ComputeFullV
                   : Eigen::ComputeThinU | Eigen::ComputeThinV;
  }
  const Eigen::BDCSVD<Matrix> svd(Eigen::Map<const Matrix>(a, rows, columns), options);
  for (int64_t k = 0; k < std::min(rows, columns); ++k) s[k] = svd.singularValues()[k];
  if (u == nullptr) return;
  Eigen::Map<Matrix>(u, svd.matrixU().rows(), svd.matrixU().cols()) = svd.matrixU();
  Eigen::Map<Matrix>(v, svd.matrixV().rows(), svd.matrixV().cols()) = svd.matrixV();
}

}  // namespace sluice::kernels
