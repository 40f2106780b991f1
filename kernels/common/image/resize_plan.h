// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_IMAGE_RESIZE_PLAN_H_
#define SLUICE_KERNELS_COMMON_IMAGE_RESIZE_PLAN_H_

#include "core/runtime/kernel.h"

// The rules of ops that resize images, on every device. Sizes are in host memory.

namespace sluice::kernels {

struct ResizeAttrs {
  bool align_corners = false, half_pixel_centers = false;

  static absl::StatusOr<ResizeAttrs> Create(const NodeSpec& node);
};

struct ImageSize {
  int64_t height, width;
};

// Reads the input with the size of a resized image; errors call it `name`.
absl::StatusOr<ImageSize> ReadImageSize(const Tensor& size, const char* name = "shape_t");
// INVALID_ARGUMENT unless these are images [n, height, width, channels] with pixels.
absl::Status CheckImagesToResize(const char* name, const Tensor& images);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_IMAGE_RESIZE_PLAN_H_
