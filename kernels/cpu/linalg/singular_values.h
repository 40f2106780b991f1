// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_LINALG_SINGULAR_VALUES_H_
#define SLUICE_KERNELS_CPU_LINALG_SINGULAR_VALUES_H_

#include <complex>
#include <cstdint>

namespace sluice::kernels {

// a = u diag(s) v^H of one row-major matrix; p = min(rows, columns). Values fall. Vectors are the
// columns of u [rows, p] and v [columns, p], or of square ones when `full`; null u: values alone.
// REQUIRES: no size is 0, all elements are finite.
// One source each: they take long to compile.
void SingularValues(const double* a, int64_t rows, int64_t columns, bool full, double* s, double* u,
                    double* v);
void SingularValues(const std::complex<double>* a, int64_t rows, int64_t columns, bool full,
                    std::complex<double>* s, std::complex<double>* u, std::complex<double>* v);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_LINALG_SINGULAR_VALUES_H_
