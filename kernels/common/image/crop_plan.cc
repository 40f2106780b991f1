// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/image/crop_plan.h"

#include <string>

#include "kernels/common/axis.h"

namespace sluice::kernels {
namespace {

absl::Status CheckBoxes(const Tensor& boxes, const Tensor& indices) {
  if (boxes.rank() != 2) return InvalidArgument("boxes must be 2-D", boxes.shape());
  if (boxes.dim(1) != 4) return InvalidArgument("boxes must have 4 columns");
  if (indices.rank() != 1) return InvalidArgument("box_index must be 1-D", indices.shape());
  if (indices.dim(0) != boxes.dim(0)) {
    return InvalidArgument("box_index has incompatible shape");
  }
  return absl::OkStatus();
}

absl::Status CheckGradients(const Tensor& grads) {
  if (grads.rank() != 4) return InvalidArgument("grads image must be 4-D", grads.shape());
  if (grads.dim(1) == 0 || grads.dim(2) == 0) {
    return InvalidArgument("grads dimensions must be positive");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<CropSizes> CheckCrop(const KernelContext& ctx) {
  const Tensor &image = ctx.input(0), &boxes = ctx.input(1), &indices = ctx.input(2);
  const Tensor& size = ctx.input(3);
  if (image.rank() != 4) return InvalidArgument("input image must be 4-D", image.shape());
  if (image.dim(1) == 0 || image.dim(2) == 0) {
    return InvalidArgument("image dimensions must be positive");
  }
  if (size.rank() != 1) return InvalidArgument("crop_size must be 1-D", size.shape());
  if (size.dim(0) != 2) {
    return InvalidArgument("crop_size must have two elements", size.shape());
  }
  const int32_t* wanted = size.data<int32_t>();
  if (wanted[0] <= 0 || wanted[1] <= 0) {
    return InvalidArgument("crop dimensions must be positive");
  }
  SLUICE_RETURN_IF_ERROR(CheckBoxes(boxes, indices));
  return CropSizes{image.dim(0), image.dim(1), image.dim(2), image.dim(3),
                   boxes.dim(0), wanted[0],    wanted[1]};
}

absl::StatusOr<CropSizes> CheckCropGradImage(const KernelContext& ctx) {
  const Tensor &grads = ctx.input(0), &boxes = ctx.input(1), &indices = ctx.input(2);
  const Tensor& size = ctx.input(3);
  SLUICE_RETURN_IF_ERROR(CheckGradients(grads));
  if (size.rank() != 1) return InvalidArgument("image_size must be 1-D", size.shape());
  if (size.dim(0) != 4) {
    return InvalidArgument("image_size must have 4 elements", size.shape());
  }
  SLUICE_ASSIGN(const Shape shape, ShapeFrom(size));
  if (shape.dim(1) == 0 || shape.dim(2) == 0) {
    return InvalidArgument("image dimensions must be positive");
  }
  SLUICE_RETURN_IF_ERROR(CheckBoxes(boxes, indices));
  if (grads.dim(0) != boxes.dim(0)) {
    return InvalidArgument("boxes and grads have incompatible shape");
  }
  if (grads.dim(3) != shape.dim(3)) {
    return InvalidArgument("image_size and grads are incompatible");
  }
  return CropSizes{shape.dim(0), shape.dim(1), shape.dim(2), shape.dim(3),
                   boxes.dim(0), grads.dim(1), grads.dim(2)};
}

absl::StatusOr<CropSizes> CheckCropGradBoxes(const KernelContext& ctx) {
  const Tensor &grads = ctx.input(0), &image = ctx.input(1), &boxes = ctx.input(2);
  const Tensor& indices = ctx.input(3);
  SLUICE_RETURN_IF_ERROR(CheckGradients(grads));
  if (image.rank() != 4) return InvalidArgument("input image must be 4-D", image.shape());
  if (image.dim(1) == 0 || image.dim(2) == 0) {
    return InvalidArgument("image dimensions must be positive");
  }
  if (image.dim(3) != grads.dim(3)) return InvalidArgument("image, grads depth differ");
  SLUICE_RETURN_IF_ERROR(CheckBoxes(boxes, indices));
  if (grads.dim(0) != boxes.dim(0)) {
    return InvalidArgument("boxes and grads have incompatible shape");
  }
  return CropSizes{image.dim(0), image.dim(1), image.dim(2), image.dim(3),
                   boxes.dim(0), grads.dim(1), grads.dim(2)};
}

absl::StatusOr<bool> CropsNearest(const NodeSpec& node) {
  SLUICE_ASSIGN(const auto method, node.Get<std::string>("method"));
  return method == "nearest";
}

}  // namespace sluice::kernels
