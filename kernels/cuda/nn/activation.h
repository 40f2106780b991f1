// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_NN_ACTIVATION_H_
#define SLUICE_KERNELS_CUDA_NN_ACTIVATION_H_

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/cuda/common/element.h"

namespace sluice::cuda {

// Named as their ops.
enum class Activation : uint8_t { kRelu, kRelu6, kLeakyRelu, kElu, kSelu, kSoftplus, kSoftsign };

// y[i] = f(x[i]) for n floating elements. y may be x. `alpha` is the slope of LeakyRelu.
cudaError_t LaunchActivation(Activation f, Element element, const void* x, void* y, int64_t n,
                             float alpha, cudaStream_t stream);

// out[i] = the gradient for x[i] of incoming gradient[i]. `of` is the function's output for Elu and
// Selu, its input else. out may be either operand.
cudaError_t LaunchActivationGrad(Activation f, Element element, const void* gradient,
                                 const void* of, void* out, int64_t n, float alpha,
                                 cudaStream_t stream);

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_NN_ACTIVATION_H_
