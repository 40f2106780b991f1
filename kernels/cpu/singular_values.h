#ifndef SLUICE_KERNELS_CPU_SINGULAR_VALUES_H_
#define SLUICE_KERNELS_CPU_SINGULAR_VALUES_H_

#include <complex>
#include <cstdint>

namespace sluice::kernels {

// a = u diag(s) v^H of one row-major matrix; p = min(rows, columns). Values fall. Vectors are the
// columns of u [rows, p] and v [columns, p], or of square ones when `full`; null u: values alone.
// REQUIRES: no size is 0, all elements are finite.
template <typename T>
void SingularValues(const T* a, int64_t rows, int64_t columns, bool full, T* s, T* u, T* v);

// One source each: they take long to compile.
extern template void SingularValues(const double*, int64_t, int64_t, bool, double*, double*,
                                    double*);
extern template void SingularValues(const std::complex<double>*, int64_t, int64_t, bool,
                                    std::complex<double>*, std::complex<double>*,
                                    std::complex<double>*);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_SINGULAR_VALUES_H_
