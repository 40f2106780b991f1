// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_ARRAY_BAND_PART_H_
#define SLUICE_KERNELS_CUDA_ARRAY_BAND_PART_H_

#include <cuda_runtime_api.h>

#include <cstdint>

namespace sluice::cuda {

// Of `matrices` matrices, what lies within `lower` diagonals below and `upper` above the main one;
// zeros elsewhere. A negative number keeps all. `to` may be `from`.
cudaError_t LaunchBandPart(int element_size, const void* from, int64_t matrices, int64_t rows,
                           int64_t columns, int64_t lower, int64_t upper, void* to,
                           cudaStream_t stream);

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_ARRAY_BAND_PART_H_
