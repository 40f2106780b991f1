// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_IMAGE_PATCHES_H_
#define SLUICE_KERNELS_CUDA_IMAGE_PATCHES_H_

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/common/image/patch_span.h"

namespace sluice::cuda {

// The windows of an array [batch, planes, rows, columns, depth].
struct Windows {
  kernels::PatchSpan spans[kernels::kPatchDimensions];
  int64_t batch, depth;

  int64_t count() const { return batch * spans[0].out * spans[1].out * spans[2].out; }
  int64_t taps() const { return spans[0].size * spans[1].size * spans[2].size; }
};

// out[window] is the elements of the window in order, with zeros outside the array. Elements of 1,
// 2, 4, 8 or 16 bytes.
cudaError_t LaunchPatches(int element_size, const Windows& windows, const void* x, void* out,
                          cudaStream_t stream);

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_IMAGE_PATCHES_H_
