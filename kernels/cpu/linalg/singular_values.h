// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_LINALG_SINGULAR_VALUES_H_
#define SLUICE_KERNELS_CPU_LINALG_SINGULAR_VALUES_H_

#include <complex>
#include <cstdint>

namespace sluice::kernels {

// a = u diag(s) v^H of one row-major matrix; p = min(rows, columns). Singular values are in falling
// order. Vectors are the columns of u [rows, p] and v [columns, p], or of square matrices if
// `full`. A null u asks for values only. Each type has its own source, because they take long to
// compile.
// REQUIRES: no size is 0, all elements are finite.
void SingularValues(const double* a, int64_t rows, int64_t columns, bool full, double* s, double* u,
                    double* v);
void SingularValues(const std::complex<double>* a, int64_t rows, int64_t columns, bool full,
                    std::complex<double>* s, std::complex<double>* u, std::complex<double>* v);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_LINALG_SINGULAR_VALUES_H_
