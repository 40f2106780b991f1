// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_IMAGE_CROP_GEOMETRY_H_
#define SLUICE_KERNELS_COMMON_IMAGE_CROP_GEOMETRY_H_

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "kernels/common/round_each.h"

// Where the pixels of CropAndResize's crops are. The functions are constexpr, which nvcc compiles
// for the GPU too.

namespace sluice::kernels {

// The positions of a crop's pixels along one dimension of the image.
struct CropPositions {
  float first, step, last;

  // Computed from the normalised edges of a box.
  constexpr CropPositions(float from, float to, int64_t in, int64_t out)
      : first(out > 1 ? from * static_cast<float>(in - 1)
                      : 0.5F * (from + to) * static_cast<float>(in - 1)),
        step(out > 1 ? (to - from) * static_cast<float>(in - 1) / static_cast<float>(out - 1) : 0),
        last(static_cast<float>(in - 1)) {}

  // Rounded twice: it decides whether the last pixel lies inside.
  constexpr float at(int64_t i) const { return first + static_cast<float>(i) * step; }
  constexpr bool inside(float x) const { return x >= 0 && x <= last; }
};

// The two neighbours of a position and the weight of the second.
struct CropNeighbours {
  int64_t low, high;
  float part;
  constexpr CropNeighbours(float x, int64_t in)  // large sizes are rounded to float
      : low(std::min(static_cast<int64_t>(std::floor(x)), in - 1)),
        high(std::min(static_cast<int64_t>(std::ceil(x)), in - 1)),
        part(x - std::floor(x)) {}
};

constexpr int64_t NearestInCrop(float x, int64_t in) {
  return std::min<int64_t>(std::lround(x), in - 1);
}

// The amount that an edge at either end of a dimension adds to position i: d position / d edge.
struct CropShares {
  float first = 0, last = 0;
  constexpr CropShares(int64_t i, int64_t in, int64_t out) {
    const auto span = static_cast<float>(in - 1);
    const float ratio = out > 1 ? span / static_cast<float>(out - 1) : 0;
    last = out > 1 ? static_cast<float>(i) * ratio : 0.5F * span;
    first = out > 1 ? span - last : last;
  }
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_IMAGE_CROP_GEOMETRY_H_
