// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_COMMON_CONJUGATE_H_
#define SLUICE_KERNELS_CPU_COMMON_CONJUGATE_H_

#include <complex>
#include <type_traits>

#include "core/tensor/dtype.h"

namespace sluice::kernels {

// The complex conjugate; a real number is its own.
template <typename T>
T Conjugate(T x) {
  if constexpr (std::is_same_v<T, Complex64> || std::is_same_v<T, Complex128>)
    return std::conj(x);
  else
    return x;
}

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_COMMON_CONJUGATE_H_
