// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_NN_LRN_H_
#define SLUICE_KERNELS_CUDA_NN_LRN_H_

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/cuda/common/element.h"

namespace sluice::cuda {

// Arrays [rows, channels]. The norm of an element is bias + alpha * the sum of the squares of its
// row's elements up to `radius` channels away.
struct LrnShape {
  int64_t rows, channels, radius;
  float bias, alpha, beta;
};

// y = x * norm^-beta. Elements: float, half, bfloat16.
cudaError_t LaunchLrn(Element element, const LrnShape& shape, const void* x, void* y,
                      cudaStream_t stream);
// The gradient with respect to x; y is LaunchLrn's. `scratch` has two doubles for each element.
cudaError_t LaunchLrnGrad(Element element, const LrnShape& shape, const void* grad, const void* x,
                          const void* y, double* scratch, void* dx, cudaStream_t stream);

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_NN_LRN_H_
