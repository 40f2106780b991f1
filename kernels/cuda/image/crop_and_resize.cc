// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/image/crop_and_resize.h"

#include "core/runtime/kernel_registry.h"
#include "kernels/common/image/crop_plan.h"
#include "kernels/cuda/common/kernel.h"
#include "kernels/cuda/common/primitives.h"
#include "kernels/cuda/image/register.h"
#include "kernels/cuda/math/cast.h"

namespace sluice::kernels {
namespace {

cuda::Crops CropsOf(const CropSizes& sizes, const Tensor& boxes, const Tensor& indices,
                    bool nearest) {
  return {sizes, static_cast<const float*>(boxes.raw()), static_cast<const int32_t*>(indices.raw()),
          nearest};
}
const float* Floats(const Tensor& tensor) { return static_cast<const float*>(tensor.raw()); }

struct CudaCrop {
  bool nearest;
  float outside;

  static absl::StatusOr<CudaCrop> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const bool nearest, CropsNearest(node));
    SLUICE_ASSIGN(const float outside, node.Get<float>("extrapolation_value"));
    return CudaCrop{nearest, outside};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& image = ctx.input(0);
    SLUICE_ASSIGN(const CropSizes s, CheckCrop(ctx));
    SLUICE_ASSIGN(const Shape shape,
                  Shape::Create({s.boxes, s.crop_height, s.crop_width, s.channels}));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    return Launched(cuda::LaunchCrop(ElementOf(image.dtype()),
                                     CropsOf(s, ctx.input(1), ctx.input(2), nearest), image.raw(),
                                     outside, static_cast<float*>(out->raw()), StreamOf(ctx)));
  }
};

struct CudaCropGradImage {
  bool nearest;

  static absl::StatusOr<CudaCropGradImage> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const bool nearest, CropsNearest(node));
    return CudaCropGradImage{nearest};
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const CropSizes s, CheckCropGradImage(ctx));
    const Shape shape{s.batch, s.height, s.width, s.channels};
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    const DType dtype = out->dtype();
    Tensor sums = *out;  // narrow floats are summed in float
    if (SizeOf(dtype) == 2) {
      SLUICE_ASSIGN(sums, ctx.AllocateTemporary(kFloat, shape));
    }
    SLUICE_RETURN_IF_ERROR(
        CudaPrimitives().Zero(ctx, sums.dtype(), sums.raw(), sums.num_elements()));
    SLUICE_RETURN_IF_ERROR(Launched(cuda::LaunchCropGradImage(
        ElementOf(sums.dtype()), CropsOf(s, ctx.input(1), ctx.input(2), nearest),
        Floats(ctx.input(0)), sums.raw(), StreamOf(ctx))));
    if (sums.dtype() == dtype) return absl::OkStatus();
    return Launched(cuda::LaunchCast(Element::kFloat, ElementOf(dtype), /*truncate=*/false,
                                     sums.raw(), out->raw(), shape.num_elements(), StreamOf(ctx)));
  }
};

struct CudaCropGradBoxes {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor &image = ctx.input(1), &boxes = ctx.input(2);
    SLUICE_ASSIGN(const CropSizes s, CheckCropGradBoxes(ctx));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, boxes.shape()));
    return Launched(cuda::LaunchCropGradBoxes(
        ElementOf(image.dtype()), CropsOf(s, boxes, ctx.input(3), /*nearest=*/false),
        Floats(ctx.input(0)), image.raw(), static_cast<float*>(out->raw()), StreamOf(ctx)));
  }
};

}  // namespace

void RegisterCudaCropAndResize(KernelRegistry& kernels) {
  kernels.Add<CudaCrop>("CropAndResize", kGpu, {{"T", kReal}}, HostMemory{"crop_size"});
  kernels.Add<CudaCropGradImage>("CropAndResizeGradImage", kGpu, {{"T", kFloating}},
                                 HostMemory{"image_size"});
  kernels.Add<CudaCropGradBoxes>("CropAndResizeGradBoxes", kGpu, {{"T", kReal}});
}

}  // namespace sluice::kernels
