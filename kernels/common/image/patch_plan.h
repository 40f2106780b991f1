// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_IMAGE_PATCH_PLAN_H_
#define SLUICE_KERNELS_COMMON_IMAGE_PATCH_PLAN_H_

#include <vector>

#include "core/runtime/kernel.h"
#include "kernels/common/image/patch_span.h"

namespace sluice::kernels {

// The rules of ExtractImagePatches and ExtractVolumePatches, on every device.
struct PatchPlan {
  std::vector<int64_t> sizes, strides, rates;  // [1, spatial..., 1]
  bool same = false;

  // The output of an input [batch, spatial..., depth].
  struct Patches {
    PatchSpan spans[kPatchDimensions];  // the first one is unused for images
    Shape output;
  };

  static absl::StatusOr<PatchPlan> Create(const NodeSpec& node);
  absl::StatusOr<Patches> Place(const Shape& x) const;

 private:
  absl::StatusOr<PatchSpan> PlaceAlong(int64_t in, int d) const;
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_IMAGE_PATCH_PLAN_H_
