// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_IMAGE_CROP_SIZES_H_
#define SLUICE_KERNELS_COMMON_IMAGE_CROP_SIZES_H_

#include <cstdint>

namespace sluice::kernels {

// Sizes of images [batch, height, width, channels] and of the crops [boxes, ..., channels].
struct CropSizes {
  int64_t batch, height, width, channels;
  int64_t boxes, crop_height, crop_width;
  constexpr int64_t image() const { return height * width * channels; }
  constexpr int64_t crop() const { return crop_height * crop_width * channels; }
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_IMAGE_CROP_SIZES_H_
