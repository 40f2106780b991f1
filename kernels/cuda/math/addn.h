// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_MATH_ADDN_H_
#define SLUICE_KERNELS_CUDA_MATH_ADDN_H_

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/cuda/common/element.h"

namespace sluice::cuda {

// out[i] = the sum of inputs[k][i] for k < count, from the first to the last, for n elements.
// REQUIRES: count >= 1. `inputs` is an array on the host. out may be inputs[0], and no other input.
cudaError_t LaunchAddN(Element element, const void* const* inputs, int count, void* out, int64_t n,
                       cudaStream_t stream);

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_MATH_ADDN_H_
