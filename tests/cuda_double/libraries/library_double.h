// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_CUDA_DOUBLE_LIBRARIES_LIBRARY_DOUBLE_H_
#define SLUICE_TESTS_CUDA_DOUBLE_LIBRARIES_LIBRARY_DOUBLE_H_

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <library_types.h>

#include <complex>
#include <cstdint>

namespace sluice::cuda_double {

// Elements of any type, which the doubles of libraries read and write as complex numbers of double.
inline std::complex<double> ReadElement(cudaDataType_t type, const void* from, int64_t i) {
  switch (type) {
    case CUDA_R_16F:
      return __half2float(static_cast<const __half*>(from)[i]);
    case CUDA_R_16BF:
      return __bfloat162float(static_cast<const __nv_bfloat16*>(from)[i]);
    case CUDA_R_32F:
      return static_cast<const float*>(from)[i];
    case CUDA_R_64F:
      return static_cast<const double*>(from)[i];
    case CUDA_C_32F:
      return static_cast<const std::complex<float>*>(from)[i];
    case CUDA_C_64F:
      return static_cast<const std::complex<double>*>(from)[i];
    default:
      return 0;
  }
}
inline void WriteElement(cudaDataType_t type, void* to, int64_t i, std::complex<double> value) {
  switch (type) {
    case CUDA_R_16F:
      static_cast<__half*>(to)[i] = __float2half_rn(static_cast<float>(value.real()));
      break;
    case CUDA_R_16BF:
      static_cast<__nv_bfloat16*>(to)[i] = __float2bfloat16_rn(static_cast<float>(value.real()));
      break;
    case CUDA_R_32F:
      static_cast<float*>(to)[i] = static_cast<float>(value.real());
      break;
    case CUDA_R_64F:
      static_cast<double*>(to)[i] = value.real();
      break;
    case CUDA_C_32F:
      static_cast<std::complex<float>*>(to)[i] = std::complex<float>(value);
      break;
    case CUDA_C_64F:
      static_cast<std::complex<double>*>(to)[i] = value;
      break;
    default:
      break;
  }
}

// The value that SetUnsupported() set.
bool IsUnsupportedNow();

// A row of a table of a library's functions.
struct LibraryFunction {
  const char* name;
  void* function;
};

}  // namespace sluice::cuda_double

#endif  // SLUICE_TESTS_CUDA_DOUBLE_LIBRARIES_LIBRARY_DOUBLE_H_
