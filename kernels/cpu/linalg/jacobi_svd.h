// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_LINALG_JACOBI_SVD_H_
#define SLUICE_KERNELS_CPU_LINALG_JACOBI_SVD_H_

#include "kernels/cpu/linalg/cancellable_eigen.h"

#include <Eigen/SVD>

#include <complex>

namespace sluice::kernels {

template <typename T>
using RowMajorMatrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace sluice::kernels

// BDCSVD needs these. They are compiled once, in jacobi_svd.cc, because they take long.
extern template class Eigen::JacobiSVD<Eigen::MatrixXd>;
extern template class Eigen::JacobiSVD<sluice::kernels::RowMajorMatrix<double>>;
extern template class Eigen::JacobiSVD<sluice::kernels::RowMajorMatrix<std::complex<double>>>;

#endif  // SLUICE_KERNELS_CPU_LINALG_JACOBI_SVD_H_
