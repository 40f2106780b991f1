// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_IMAGE_RESIZE_SCALE_H_
#define SLUICE_KERNELS_COMMON_IMAGE_RESIZE_SCALE_H_

#include <cmath>
#include <cstdint>

// The functions are constexpr, which nvcc compiles for the GPU too.

namespace sluice::kernels {

// The map from a position along one dimension of a resized image to the image.
struct ResizeScale {
  float scale;
  bool half_pixel_centers;
  constexpr ResizeScale(int64_t in, int64_t out, bool align_corners, bool half_pixel_centers)
      : scale(align_corners && out > 1 ? static_cast<float>(in - 1) / static_cast<float>(out - 1)
                                       : static_cast<float>(in) / static_cast<float>(out)),
        half_pixel_centers(half_pixel_centers) {}
  constexpr float operator()(int64_t i) const {
    const auto x = static_cast<float>(i);
    return half_pixel_centers ? (x + 0.5F) * scale - 0.5F : x * scale;
  }
};

// The input pixel that each output pixel copies.
struct NearestPixel {
  float scale, shift;
  bool rounds;
  int64_t last;
  constexpr NearestPixel(int64_t in, int64_t out, bool align_corners, bool half_pixel_centers)
      : scale(ResizeScale(in, out, align_corners, false).scale),
        shift(half_pixel_centers ? 0.5F : 0.0F),
        rounds(align_corners),
        last(in - 1) {}
  constexpr int64_t operator()(int64_t i) const {
    const float at = (static_cast<float>(i) + shift) * scale;
    const float whole = rounds ? std::round(at) : std::floor(at);
    const auto pixel = static_cast<int64_t>(whole);
    return pixel < 0 ? 0 : pixel > last ? last : pixel;
  }
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_IMAGE_RESIZE_SCALE_H_
