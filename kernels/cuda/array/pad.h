// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_ARRAY_PAD_H_
#define SLUICE_KERNELS_CUDA_ARRAY_PAD_H_

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/cuda/common/element.h"

namespace sluice::cuda {

// One dimension of a padded array: `in` elements with `before` in front, `out` in all.
struct PadDim {
  int64_t in, before, out;
};
constexpr int kMaxPadRank = 24;  // of dimensions after those without padding are joined

// Joins dimensions for LaunchPad, outermost first: one without padding goes into the one outside
// it. Returns how many are left, at least one.
int SimplifyPadding(PadDim* dims, int count);

// Pads with the element at `value`, which is in host memory and read before the call returns.
// Elements of 1, 2, 4, 8 or 16 bytes. REQUIRES: 1 <= count <= kMaxPadRank
cudaError_t LaunchPad(int element_size, const PadDim* dims, int count, const void* value,
                      const void* from, void* to, cudaStream_t stream);
// Pads with the array's own edge; `reflect` leaves out the element of the edge itself.
// REQUIRES: no padding is longer than what it mirrors; the result is not empty
cudaError_t LaunchMirrorPad(int element_size, const PadDim* dims, int count, bool reflect,
                            const void* from, void* to, cudaStream_t stream);
// The gradient of LaunchMirrorPad: each element of `to`, of the sizes `in`, is the sum of the
// elements of `from` that repeat it, in their order. Floating types.
// REQUIRES: as LaunchMirrorPad; `to` is not empty
cudaError_t LaunchMirrorPadGrad(Element element, const PadDim* dims, int count, bool reflect,
                                const void* from, void* to, cudaStream_t stream);

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_ARRAY_PAD_H_
