// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_COMMON_CUBLASLT_H_
#define SLUICE_KERNELS_CUDA_COMMON_CUBLASLT_H_

#include <cublasLt.h>

#include "core/device/cuda_library.h"

namespace sluice::kernels {

// The functions of cuBLASLt that we call.
struct CublasLt {
  static const cuda::LibraryName kName;

  decltype(&cublasLtCreate) Create;
  decltype(&cublasLtGetStatusName) GetStatusName;
  decltype(&cublasLtMatrixLayoutCreate) MatrixLayoutCreate;
  decltype(&cublasLtMatrixLayoutDestroy) MatrixLayoutDestroy;
  decltype(&cublasLtMatrixLayoutSetAttribute) MatrixLayoutSetAttribute;
  decltype(&cublasLtMatmulDescCreate) MatmulDescCreate;
  decltype(&cublasLtMatmulDescDestroy) MatmulDescDestroy;
  decltype(&cublasLtMatmulDescSetAttribute) MatmulDescSetAttribute;
  decltype(&cublasLtMatmulPreferenceCreate) MatmulPreferenceCreate;
  decltype(&cublasLtMatmulPreferenceDestroy) MatmulPreferenceDestroy;
  decltype(&cublasLtMatmulPreferenceSetAttribute) MatmulPreferenceSetAttribute;
  decltype(&cublasLtMatmulAlgoGetHeuristic) MatmulAlgoGetHeuristic;
  decltype(&cublasLtMatmul) Matmul;

  absl::Status Load(const cuda::Library& library);
  // Opens the library at the first call.
  static absl::StatusOr<const CublasLt*> Get();

  // The result of a call as a Status that says what the call was for.
  absl::Status Check(cublasStatus_t status, absl::string_view doing) const;
  // The handle of a GPU. It lives as long as the process.
  absl::StatusOr<cublasLtHandle_t> HandleOf(int gpu) const;
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CUDA_COMMON_CUBLASLT_H_
