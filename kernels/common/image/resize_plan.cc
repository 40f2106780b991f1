// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/image/resize_plan.h"

#include <limits>

namespace sluice::kernels {

absl::StatusOr<ResizeAttrs> ResizeAttrs::Create(const NodeSpec& node) {
  ResizeAttrs attrs;
  attrs.align_corners = GetAttrOr<bool>(node.attrs, "align_corners", false);
  attrs.half_pixel_centers = GetAttrOr<bool>(node.attrs, "half_pixel_centers", false);
  if (attrs.align_corners && attrs.half_pixel_centers) {
    return InvalidArgument("If half_pixel_centers is True, align_corners must be False.");
  }
  return attrs;
}

absl::StatusOr<ImageSize> ReadImageSize(const Tensor& size, const char* name) {
  if (size.rank() != 1) {
    return InvalidArgument(name, " must be 1-dimensional", size.shape());
  }
  if (size.num_elements() != 2) {
    return InvalidArgument(name, " must have two elements", size.shape());
  }
  const auto* values = size.data<int32_t>();
  if (values[0] <= 0 || values[1] <= 0) {
    return InvalidArgument("output dimensions must be positive: ", name,
                           "'s elements must be positive");
  }
  constexpr int32_t kMaxSide = 1 << 26;  // every row and column has its weights in memory
  if (values[0] > kMaxSide || values[1] > kMaxSide) {
    return ResourceExhausted("resizing to ", values[0], " by ", values[1],
                             " needs too much memory");
  }
  return ImageSize{values[0], values[1]};
}

absl::Status CheckImagesToResize(const char* name, const Tensor& images) {
  if (images.rank() != 4) return InvalidArgument(name, " must be 4-dimensional", images.shape());
  for (int d : {1, 2}) {
    if (images.dim(d) > std::numeric_limits<int32_t>::max()) {
      return InvalidArgument("input sizes must be between 0 and max int32");
    }
  }
  if (images.dim(3) == 0) return InvalidArgument("image must have at least one channel");
  if (images.dim(1) == 0 || images.dim(2) == 0) {
    return InvalidArgument(name, " image must be of non-zero size");
  }
  return absl::OkStatus();
}

}  // namespace sluice::kernels
