// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_NN_SOFTMAX_H_
#define SLUICE_KERNELS_CUDA_NN_SOFTMAX_H_

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/cuda/common/element.h"

namespace sluice::cuda {

// Softmax of each of `rows` rows of n elements, or its logarithm. Floating elements; out may be in.
cudaError_t LaunchSoftmax(bool log, Element element, const void* in, int64_t rows, int64_t n,
                          void* out, cudaStream_t stream);

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_NN_SOFTMAX_H_
