// SPDX-License-Identifier: Apache-2.0
// Rounded numbers of the GPU's half and bfloat16.
#ifndef SLUICE_KERNELS_CUDA_COMMON_ROUNDED_CUH_
#define SLUICE_KERNELS_CUDA_COMMON_ROUNDED_CUH_

#include "kernels/common/rounded.h"
#include "kernels/cuda/common/element.h"

namespace sluice::kernels {

template <>
struct NarrowFormat<__half> {
  static constexpr bool kIsHalf = true;
  static constexpr int kMantissaBits = 10;
  static __host__ __device__ float Round(float x) { return __half2float(__float2half_rn(x)); }
};
template <>
struct NarrowFormat<__nv_bfloat16> {
  static constexpr bool kIsHalf = false;
  static constexpr int kMantissaBits = 7;
  static __host__ __device__ float Round(float x) {
    return __bfloat162float(__float2bfloat16_rn(x));
  }
};

}  // namespace sluice::kernels

namespace sluice::cuda {

// The type in which T is computed step by step: Rounded for the narrow types, else T itself.
template <typename T>
using StepType = typename std::conditional_t<kIsNarrow<T>, std::type_identity<kernels::Rounded<T>>,
                                             std::type_identity<T>>::type;

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_COMMON_ROUNDED_CUH_
