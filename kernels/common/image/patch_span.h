// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_IMAGE_PATCH_SPAN_H_
#define SLUICE_KERNELS_COMMON_IMAGE_PATCH_SPAN_H_

#include <cstdint>

namespace sluice::kernels {

inline constexpr int kPatchDimensions = 3;

// The windows along one spatial dimension.
struct PatchSpan {
  int64_t in = 1, size = 1, stride = 1, rate = 1, pad = 0, out = 1;

  // Where element `tap` of window `at` is; it may be outside.
  constexpr int64_t Place(int64_t at, int64_t tap) const { return at * stride + tap * rate - pad; }
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_IMAGE_PATCH_SPAN_H_
