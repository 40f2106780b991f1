// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_COMMON_VECTOR_MATH_H_
#define SLUICE_KERNELS_CPU_COMMON_VECTOR_MATH_H_

#include <math.h>

#include <cmath>

// Tells the compiler that glibc has vector forms of these functions (libmvec, errors up to 4 ulp),
// so that loops over std::exp and similar functions vectorise. glibc declares them itself only
// under -ffast-math, which we do not use.
#if defined(__x86_64__) && defined(__GLIBC_PREREQ) && !defined(__clang__) && \
    !defined(SLUICE_NO_LIBMVEC)
#if __GLIBC_PREREQ(2, 35)
#define SLUICE_VECTOR __attribute__((simd("notinbranch"), const))
extern "C" {
SLUICE_VECTOR float expf(float) noexcept;
SLUICE_VECTOR double exp(double) noexcept;
SLUICE_VECTOR float expm1f(float) noexcept;
SLUICE_VECTOR double expm1(double) noexcept;
SLUICE_VECTOR float logf(float) noexcept;
SLUICE_VECTOR double log(double) noexcept;
SLUICE_VECTOR float log1pf(float) noexcept;
SLUICE_VECTOR double log1p(double) noexcept;
SLUICE_VECTOR float sinf(float) noexcept;
SLUICE_VECTOR double sin(double) noexcept;
SLUICE_VECTOR float cosf(float) noexcept;
SLUICE_VECTOR double cos(double) noexcept;
SLUICE_VECTOR float tanf(float) noexcept;
SLUICE_VECTOR double tan(double) noexcept;
SLUICE_VECTOR float asinf(float) noexcept;
SLUICE_VECTOR double asin(double) noexcept;
SLUICE_VECTOR float acosf(float) noexcept;
SLUICE_VECTOR double acos(double) noexcept;
SLUICE_VECTOR float atanf(float) noexcept;
SLUICE_VECTOR double atan(double) noexcept;
SLUICE_VECTOR float sinhf(float) noexcept;
SLUICE_VECTOR double sinh(double) noexcept;
SLUICE_VECTOR float coshf(float) noexcept;
SLUICE_VECTOR double cosh(double) noexcept;
SLUICE_VECTOR float tanhf(float) noexcept;
SLUICE_VECTOR double tanh(double) noexcept;
SLUICE_VECTOR float asinhf(float) noexcept;
SLUICE_VECTOR double asinh(double) noexcept;
SLUICE_VECTOR float acoshf(float) noexcept;
SLUICE_VECTOR double acosh(double) noexcept;
SLUICE_VECTOR float atanhf(float) noexcept;
SLUICE_VECTOR double atanh(double) noexcept;
SLUICE_VECTOR float erff(float) noexcept;
SLUICE_VECTOR double erf(double) noexcept;
SLUICE_VECTOR float erfcf(float) noexcept;
SLUICE_VECTOR double erfc(double) noexcept;
SLUICE_VECTOR float powf(float, float) noexcept;
SLUICE_VECTOR double pow(double, double) noexcept;
SLUICE_VECTOR float atan2f(float, float) noexcept;
SLUICE_VECTOR double atan2(double, double) noexcept;
}
#undef SLUICE_VECTOR
#endif
#endif

#endif  // SLUICE_KERNELS_CPU_COMMON_VECTOR_MATH_H_
