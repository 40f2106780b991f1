// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_NN_IN_TOP_K_H_
#define SLUICE_KERNELS_CUDA_NN_IN_TOP_K_H_

#include <cuda_runtime_api.h>

#include <cstdint>

namespace sluice::cuda {

// out[r]: whether fewer than k of row r of the predictions, a matrix [rows, classes], are greater
// than its element targets[r]. Targets are of int64_t if `wide`, else of int32_t. False for a
// target out of range, and for a row in which anything is not finite.
cudaError_t LaunchInTopK(const float* predictions, const void* targets, bool wide, int64_t rows,
                         int64_t classes, int64_t k, bool* out, cudaStream_t stream);

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_NN_IN_TOP_K_H_
