// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_IMAGE_CROP_AND_RESIZE_H_
#define SLUICE_KERNELS_CUDA_IMAGE_CROP_AND_RESIZE_H_

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/common/image/crop_sizes.h"
#include "kernels/cuda/common/element.h"

namespace sluice::cuda {

// Crops of images by boxes [boxes, 4], of the images that `indices` name.
struct Crops {
  kernels::CropSizes sizes;
  const float* boxes;
  const int32_t* indices;
  bool nearest;  // else bilinear
};

// The crops of real images. A box whose index is out of range is `outside`, as is what lies outside
// of the image.
cudaError_t LaunchCrop(Element element, const Crops& crops, const void* images, float outside,
                       float* out, cudaStream_t stream);
// Adds the gradients of the images to `sums`, of float or double.
cudaError_t LaunchCropGradImage(Element element, const Crops& crops, const float* grads, void* sums,
                                cudaStream_t stream);
// The gradients of the boxes, [boxes, 4], for bilinear crops of real images.
cudaError_t LaunchCropGradBoxes(Element element, const Crops& crops, const float* grads,
                                const void* images, float* out, cudaStream_t stream);

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_IMAGE_CROP_AND_RESIZE_H_
