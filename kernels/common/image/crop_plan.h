// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_IMAGE_CROP_PLAN_H_
#define SLUICE_KERNELS_COMMON_IMAGE_CROP_PLAN_H_

#include "core/runtime/kernel.h"
#include "core/runtime/kernel_context.h"
#include "kernels/common/image/crop_sizes.h"

namespace sluice::kernels {

// The rules of CropAndResize and its gradients, on every device. They do not look at the indices of
// boxes. The arguments crop_size and image_size are in host memory.
absl::StatusOr<CropSizes> CheckCrop(const KernelContext& ctx);
absl::StatusOr<CropSizes> CheckCropGradImage(const KernelContext& ctx);
absl::StatusOr<CropSizes> CheckCropGradBoxes(const KernelContext& ctx);
// The attribute "method": nearest, else bilinear.
absl::StatusOr<bool> CropsNearest(const NodeSpec& node);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_IMAGE_CROP_PLAN_H_
