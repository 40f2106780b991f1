// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/linalg/jacobi_svd.h"

template class Eigen::JacobiSVD<Eigen::MatrixXd>;
template class Eigen::JacobiSVD<sluice::kernels::RowMajorMatrix<double>>;
template class Eigen::JacobiSVD<sluice::kernels::RowMajorMatrix<std::complex<double>>>;
