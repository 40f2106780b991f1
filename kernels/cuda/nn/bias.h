// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_NN_BIAS_H_
#define SLUICE_KERNELS_CUDA_NN_BIAS_H_

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/cuda/common/element.h"

namespace sluice::cuda {

// out[o, c, i] = in[o, c, i] + bias[c] for arrays [outer, channels, inner] of floating elements.
// out may be in.
cudaError_t LaunchBiasAdd(Element element, const void* in, const void* bias, void* out,
                          int64_t outer, int64_t channels, int64_t inner, cudaStream_t stream);

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_NN_BIAS_H_
