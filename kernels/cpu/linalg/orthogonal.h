// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_LINALG_ORTHOGONAL_H_
#define SLUICE_KERNELS_CPU_LINALG_ORTHOGONAL_H_

#include <complex>
#include <cstdint>

namespace sluice::kernels {

// Finds the x [columns, sides] of least |x| among those with least |a x - b|, by a complete
// orthogonal decomposition of a [rows, columns]; b is [rows, sides]. All are row-major. It has its
// own source, because it takes long to compile.
// REQUIRES: no size is 0.
void SolveOrthogonal(const double* a, int64_t rows, int64_t columns, const double* b, int64_t sides,
                     double* x);
void SolveOrthogonal(const std::complex<double>* a, int64_t rows, int64_t columns,
                     const std::complex<double>* b, int64_t sides, std::complex<double>* x);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_LINALG_ORTHOGONAL_H_
