// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_NN_TOP_K_H_
#define SLUICE_KERNELS_CUDA_NN_TOP_K_H_

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/cuda/common/element.h"

namespace sluice::cuda {

// The k largest elements of each row of x, [rows, n], in descending order, and their columns. Of
// equal elements the first in the row comes first; NaN counts as the smallest. Columns have
// `index_bytes` of 2, 4 or 8. `scratch` has TopKScratch(rows, k) bytes, aligned to 16.
// REQUIRES: 1 <= k <= n < 2^31; real elements.
cudaError_t LaunchTopK(Element element, const void* x, int64_t rows, int64_t n, int64_t k,
                       void* values, void* columns, int index_bytes, void* scratch,
                       cudaStream_t stream);
inline int64_t TopKScratch(int64_t rows, int64_t k) { return rows * k * 16; }

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_NN_TOP_K_H_
