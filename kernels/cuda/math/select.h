// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_MATH_SELECT_H_
#define SLUICE_KERNELS_CUDA_MATH_SELECT_H_

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/cuda/common/element.h"
#include "kernels/cuda/common/layout.h"

namespace sluice::cuda {

// out[i] = condition[i] ? then[i] : otherwise[i]; the layout has them in this order. `element_size`
// is 1, 2, 4, 8 or 16 bytes. out may be a value with as many elements.
cudaError_t LaunchSelect(int element_size, const bool* condition, const void* then,
                         const void* otherwise, void* out, const Layout<3>& layout,
                         cudaStream_t stream);

// out[i] = max(min(x[i], high), low) for n elements; a bound is one element, or n where it is not
// `fixed`. A NaN of x stays. out may be x.
cudaError_t LaunchClip(Element element, const void* x, const void* low, bool low_fixed,
                       const void* high, bool high_fixed, void* out, int64_t n,
                       cudaStream_t stream);

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_MATH_SELECT_H_
