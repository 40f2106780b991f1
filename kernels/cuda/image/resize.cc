// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/image/resize.h"

#include "core/runtime/kernel_registry.h"
#include "kernels/common/image/resize_plan.h"
#include "kernels/cuda/common/kernel.h"
#include "kernels/cuda/image/register.h"

namespace sluice::kernels {
namespace {

cuda::ResizeShape ShapeOf(const ResizeAttrs& attrs, const Shape& in, const Shape& out) {
  return {in.dim(0),  in.dim(3),  in.dim(1),           in.dim(2),
          out.dim(1), out.dim(2), attrs.align_corners, attrs.half_pixel_centers};
}

// The shape of images of another size.
absl::StatusOr<Shape> Resized(const Shape& images, int64_t height, int64_t width) {
  return Shape::Create({images.dim(0), height, width, images.dim(3)});
}

template <bool kNearest>
struct CudaResize {
  ResizeAttrs attrs;

  static absl::StatusOr<CudaResize> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const ResizeAttrs attrs, ResizeAttrs::Create(node));
    return CudaResize{attrs};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& images = ctx.input(0);
    SLUICE_RETURN_IF_ERROR(CheckImagesToResize("input", images));
    SLUICE_ASSIGN(const ImageSize size, ReadImageSize(ctx.input(1)));
    SLUICE_ASSIGN(const Shape shape, Resized(images.shape(), size.height, size.width));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    const cuda::ResizeShape s = ShapeOf(attrs, images.shape(), shape);
    if constexpr (kNearest) {
      return Launched(cuda::LaunchResizeNearest(static_cast<int>(SizeOf(images.dtype())), s,
                                                images.raw(), out->raw(), StreamOf(ctx)));
    } else {
      return Launched(cuda::LaunchResizeBilinear(ElementOf(images.dtype()), s, images.raw(),
                                                 static_cast<float*>(out->raw()), StreamOf(ctx)));
    }
  }
};

struct CudaBilinearGrad {
  ResizeAttrs attrs;

  static absl::StatusOr<CudaBilinearGrad> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const ResizeAttrs attrs, ResizeAttrs::Create(node));
    return CudaBilinearGrad{attrs};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &grads = ctx.input(0), &original = ctx.input(1);
    SLUICE_RETURN_IF_ERROR(CheckImagesToResize("input_grad", grads));
    SLUICE_RETURN_IF_ERROR(CheckImagesToResize("original_image", original));
    SLUICE_ASSIGN(const Shape shape, Resized(grads.shape(), original.dim(1), original.dim(2)));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    return Launched(cuda::LaunchResizeBilinearGrad(
        ElementOf(out->dtype()), ShapeOf(attrs, shape, grads.shape()),
        static_cast<const float*>(grads.raw()), out->raw(), StreamOf(ctx)));
  }
};

struct CudaNearestGrad {
  ResizeAttrs attrs;

  static absl::StatusOr<CudaNearestGrad> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const ResizeAttrs attrs, ResizeAttrs::Create(node));
    return CudaNearestGrad{attrs};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& grads = ctx.input(0);
    SLUICE_RETURN_IF_ERROR(CheckImagesToResize("input", grads));
    SLUICE_ASSIGN(const ImageSize size, ReadImageSize(ctx.input(1)));
    SLUICE_ASSIGN(const Shape shape, Resized(grads.shape(), size.height, size.width));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    return Launched(cuda::LaunchResizeNearestGrad(ElementOf(grads.dtype()),
                                                  ShapeOf(attrs, shape, grads.shape()), grads.raw(),
                                                  out->raw(), StreamOf(ctx)));
  }
};

}  // namespace

void RegisterCudaResize(KernelRegistry& kernels) {
  const HostMemory size{"size"};
  kernels.Add<CudaResize<false>>("ResizeBilinear", kGpu, {{"T", kReal}}, size);
  kernels.Add<CudaBilinearGrad>("ResizeBilinearGrad", kGpu, {{"T", kFloating}});
  kernels.Add<CudaResize<true>>("ResizeNearestNeighbor", kGpu, {{"T", kReal}}, size);
  kernels.Add<CudaNearestGrad>("ResizeNearestNeighborGrad", kGpu, {{"T", kFloating}}, size);
}

}  // namespace sluice::kernels
