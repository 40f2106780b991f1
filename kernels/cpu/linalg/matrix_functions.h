// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_LINALG_MATRIX_FUNCTIONS_H_
#define SLUICE_KERNELS_CPU_LINALG_MATRIX_FUNCTIONS_H_

#include <complex>
#include <cstdint>

// Functions of one square row-major matrix of n rows. Each has its own source, because they take
// long to compile.
// REQUIRES: n > 0, all elements are finite.

namespace sluice::kernels {

void MatrixExponential(const double* a, int64_t n, double* out);
void MatrixExponential(const std::complex<double>* a, int64_t n, std::complex<double>* out);
void MatrixLogarithm(const std::complex<double>* a, int64_t n, std::complex<double>* out);
void MatrixSquareRoot(const double* a, int64_t n, double* out);
void MatrixSquareRoot(const std::complex<double>* a, int64_t n, std::complex<double>* out);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_LINALG_MATRIX_FUNCTIONS_H_
