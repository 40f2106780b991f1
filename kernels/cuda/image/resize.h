// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_IMAGE_RESIZE_H_
#define SLUICE_KERNELS_CUDA_IMAGE_RESIZE_H_

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/cuda/common/element.h"

namespace sluice::cuda {

// Images [batch, in_height, in_width, channels] and their resized ones.
struct ResizeShape {
  int64_t batch, channels;
  int64_t in_height, in_width, out_height, out_width;
  bool align_corners, half_pixel_centers;
};

// out is of float. Elements of the images: real.
cudaError_t LaunchResizeBilinear(Element element, const ResizeShape& shape, const void* images,
                                 float* out, cudaStream_t stream);
// The gradients of the images, of a floating type, from those of the resized ones.
cudaError_t LaunchResizeBilinearGrad(Element element, const ResizeShape& shape, const float* grads,
                                     void* out, cudaStream_t stream);
// Elements of 1, 2, 4 or 8 bytes.
cudaError_t LaunchResizeNearest(int element_size, const ResizeShape& shape, const void* images,
                                void* out, cudaStream_t stream);
// Elements: floating.
cudaError_t LaunchResizeNearestGrad(Element element, const ResizeShape& shape, const void* grads,
                                    void* out, cudaStream_t stream);

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_IMAGE_RESIZE_H_
