// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/common/cublaslt.h"

#include "absl/container/flat_hash_map.h"

namespace sluice::kernels {

const cuda::LibraryName CublasLt::kName{"cuBLASLt",
                                        {"libcublasLt.so.13", "libcublasLt.so"},
                                        CUBLAS_VER_MAJOR,
                                        "cublasLtGetVersion",
                                        10000};

absl::Status CublasLt::Load(const cuda::Library& library) {
  // clang-format off
  return library.Load(
      "cublasLtCreate", Create,
      "cublasLtGetStatusName", GetStatusName,
      "cublasLtMatrixLayoutCreate", MatrixLayoutCreate,
      "cublasLtMatrixLayoutDestroy", MatrixLayoutDestroy,
      "cublasLtMatrixLayoutSetAttribute", MatrixLayoutSetAttribute,
      "cublasLtMatmulDescCreate", MatmulDescCreate,
      "cublasLtMatmulDescDestroy", MatmulDescDestroy,
      "cublasLtMatmulDescSetAttribute", MatmulDescSetAttribute,
      "cublasLtMatmulPreferenceCreate", MatmulPreferenceCreate,
      "cublasLtMatmulPreferenceDestroy", MatmulPreferenceDestroy,
      "cublasLtMatmulPreferenceSetAttribute", MatmulPreferenceSetAttribute,
      "cublasLtMatmulAlgoGetHeuristic", MatmulAlgoGetHeuristic,
      "cublasLtMatmul", Matmul);
  // clang-format on
}

absl::StatusOr<const CublasLt*> CublasLt::Get() {
  static auto* const table = new cuda::LibraryTable<CublasLt>;
  return table->Get();
}

absl::Status CublasLt::Check(cublasStatus_t status, absl::string_view doing) const {
  if (status == CUBLAS_STATUS_SUCCESS) return absl::OkStatus();
  const std::string message = Cat("cuBLASLt failed in ", doing, ": ", GetStatusName(status));
  if (status == CUBLAS_STATUS_ALLOC_FAILED) return ResourceExhausted(message);
  return Internal(message);
}

absl::StatusOr<cublasLtHandle_t> CublasLt::HandleOf(int gpu) const {
  static auto* const mu = new absl::Mutex;
  static auto* const handles = new absl::flat_hash_map<int, cublasLtHandle_t>;
  absl::MutexLock lock(mu);
  const auto found = handles->find(gpu);
  if (found != handles->end()) return found->second;
  cublasLtHandle_t handle = nullptr;
  SLUICE_RETURN_IF_ERROR(Check(Create(&handle), "making its handle"));
  handles->emplace(gpu, handle);
  return handle;
}

}  // namespace sluice::kernels
