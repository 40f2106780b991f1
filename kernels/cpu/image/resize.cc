// SPDX-License-Identifier: Apache-2.0
// Resizing of images [n, height, width, channels], with gradients.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/runtime/kernel_registry.h"
#include "kernels/common/round_each.h"
#include "kernels/cpu/common/layout.h"
#include "kernels/cpu/image/register.h"
#include "kernels/cpu/image/resample.h"

namespace sluice::kernels {
namespace {

ResizeScale ScaleOf(const ResizeAttrs& attrs, int64_t in, int64_t out) {
  return {in, out, attrs.align_corners, attrs.half_pixel_centers};
}

using MakeFilter = Filter (*)(int64_t in, int64_t out, const ResizeScale& scale);

MakeFilter FilterOf(absl::string_view op) {
  if (op == "ResizeBilinear" || op == "ResizeBilinearGrad") return &BilinearFilter;
  if (op == "ResizeArea") return &AreaFilter;
  return &BicubicFilter;
}

struct Resize {
  ResizeAttrs attrs;
  MakeFilter filter;

  static absl::StatusOr<Resize> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const ResizeAttrs attrs, ResizeAttrs::Create(node));
    return Resize{attrs, FilterOf(node.op)};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& images = ctx.input(0);
    SLUICE_RETURN_IF_ERROR(CheckImagesToResize("input", images));
    SLUICE_ASSIGN(const ImageSize size, ReadImageSize(ctx.input(1)));
    SLUICE_ASSIGN(const Shape shape,
                  Shape::Create({images.dim(0), size.height, size.width, images.dim(3)}));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    const int64_t height = images.dim(1), width = images.dim(2);
    const Filter rows = filter(height, size.height, ScaleOf(attrs, height, size.height));
    const Filter columns = filter(width, size.width, ScaleOf(attrs, width, size.width));
    return Resample(ctx, images, rows, columns, *out);
  }
};

// A float output to fill. Finish converts it into the node's output.
struct FloatResult {
  Tensor* out;
  Tensor wide;

  static absl::StatusOr<FloatResult> Create(KernelContext& ctx, const Shape& shape) {
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    if (out->dtype() == kFloat) return FloatResult{out, *out};
    SLUICE_ASSIGN(Tensor wide, ctx.AllocateTemporary(kFloat, shape));
    return FloatResult{out, std::move(wide)};
  }
  absl::Status Finish(KernelContext& ctx) {
    if (out->dtype() == kFloat) return absl::OkStatus();
    if (out->dtype() != kDouble) return FromFloat(ctx, wide, *out);
    std::copy_n(wide.data<float>(), wide.num_elements(), out->mutable_data<double>());
    return absl::OkStatus();
  }
};

struct ResizeGrad {
  ResizeAttrs attrs;
  MakeFilter filter;

  static absl::StatusOr<ResizeGrad> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const ResizeAttrs attrs, ResizeAttrs::Create(node));
    return ResizeGrad{attrs, FilterOf(node.op)};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &grads = ctx.input(0), &original = ctx.input(1);
    SLUICE_RETURN_IF_ERROR(CheckImagesToResize("input_grad", grads));
    SLUICE_RETURN_IF_ERROR(CheckImagesToResize("original_image", original));
    const int64_t height = original.dim(1), width = original.dim(2);
    SLUICE_ASSIGN(const Shape shape, Shape::Create({grads.dim(0), height, width, grads.dim(3)}));
    SLUICE_ASSIGN(FloatResult result, FloatResult::Create(ctx, shape));
    const Filter rows = filter(height, grads.dim(1), ScaleOf(attrs, height, grads.dim(1)));
    const Filter columns = filter(width, grads.dim(2), ScaleOf(attrs, width, grads.dim(2)));
    SLUICE_RETURN_IF_ERROR(
        Resample(ctx, grads, rows.Transposed(), columns.Transposed(), result.wide));
    return result.Finish(ctx);
  }
};

// The input pixel that each output pixel copies.
std::vector<int64_t> Nearest(int64_t in, int64_t out, const ResizeAttrs& attrs) {
  const NearestPixel pixel(in, out, attrs.align_corners, attrs.half_pixel_centers);
  std::vector<int64_t> nearest(out);
  for (int64_t i = 0; i < out; ++i) nearest[i] = pixel(i);
  return nearest;
}

struct ResizeNearest {
  ResizeAttrs attrs;

  static absl::StatusOr<ResizeNearest> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const ResizeAttrs attrs, ResizeAttrs::Create(node));
    return ResizeNearest{attrs};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& images = ctx.input(0);
    SLUICE_RETURN_IF_ERROR(CheckImagesToResize("input", images));
    SLUICE_ASSIGN(const ImageSize size, ReadImageSize(ctx.input(1)));
    const int64_t height = images.dim(1), width = images.dim(2), channels = images.dim(3);
    SLUICE_ASSIGN(const Shape shape,
                  Shape::Create({images.dim(0), size.height, size.width, channels}));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    const std::vector<int64_t> rows = Nearest(height, size.height, attrs);
    const std::vector<int64_t> columns = Nearest(width, size.width, attrs);
    return VisitWidth(images.dtype(), [&]<typename T>(Type<T>) {
      if constexpr (requires(T & a, const T& b) { a = b; }) {
        const T* in = images.data<T>();
        T* to = out->mutable_data<T>();
        ParallelFor(ctx.pool(), images.dim(0) * size.height, 1.0 * size.width * channels,
                    [&](int64_t begin, int64_t end) {
                      for (int64_t row = begin; row < end; ++row) {
                        const int64_t image = row / size.height;
                        const T* from =
                            in + (image * height + rows[row % size.height]) * width * channels;
                        T* at = to + row * size.width * channels;
                        for (int64_t x : columns) {
                          at = std::copy_n(from + x * channels, channels, at);
                        }
                      }
                    });
      }
      return absl::OkStatus();
    });
  }
};

struct ResizeNearestGrad {
  ResizeAttrs attrs;

  static absl::StatusOr<ResizeNearestGrad> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const ResizeAttrs attrs, ResizeAttrs::Create(node));
    return ResizeNearestGrad{attrs};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& grads = ctx.input(0);
    SLUICE_RETURN_IF_ERROR(CheckImagesToResize("input", grads));
    SLUICE_ASSIGN(const ImageSize size, ReadImageSize(ctx.input(1)));
    const int64_t height = grads.dim(1), width = grads.dim(2), channels = grads.dim(3);
    SLUICE_ASSIGN(const Shape shape,
                  Shape::Create({grads.dim(0), size.height, size.width, channels}));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    const std::vector<int64_t> rows = Nearest(size.height, height, attrs);
    const std::vector<int64_t> columns = Nearest(size.width, width, attrs);
    return VisitDType(RealTypes{}, grads.dtype(), [&]<typename T>(Type<T>) {
      const T* from = grads.data<T>();
      T* to = out->mutable_data<T>();
      std::fill_n(to, shape.num_elements(), T(0));
      for (int64_t n = 0; n < grads.dim(0); ++n) {
        for (int64_t y : rows) {
          T* const row = to + (n * size.height + y) * size.width * channels;
          for (int64_t x : columns) {
            for (int64_t c = 0; c < channels; ++c) {
              T& sum = row[x * channels + c];
              sum = T(static_cast<ComputeType<T>>(sum) + static_cast<ComputeType<T>>(*from++));
            }
          }
        }
      }
      return absl::OkStatus();
    });
  }
};

// A symmetric kernel that weights pixels by their distance.
struct SamplingKernel {
  absl::string_view name;
  float radius;
  float (*weight)(float x, float radius);
};

float Lanczos(float x, float radius) {
  constexpr float kPi = std::numbers::pi_v<float>;
  if (x > radius) return 0;
  if (x <= 1e-3F) return 1;
  return radius * std::sin(kPi * x) * std::sin(kPi * x / radius) / (kPi * kPi * x * x);
}
float Gaussian(float x, float radius) {
  const float sigma = radius / 3;
  return x >= radius ? 0 : std::exp(-x * x / (2 * sigma * sigma));
}
float Box(float x, float) { return x < 0.5F ? 1 : x == 0.5F ? 0.5F : 0; }
float Triangle(float x, float) { return x < 1 ? 1 - x : 0; }
float KeysCubic(float x, float) {
  if (x >= 2) return 0;
  if (x >= 1) return ((-0.5F * x + 2.5F) * x - 4) * x + 2;
  return ((1.5F * x - 2.5F) * x) * x + 1;
}
float MitchellCubic(float x, float) {
  if (x >= 2) return 0;
  if (x >= 1) return (((-7.0F / 18) * x + 2) * x - 10.0F / 3) * x + 16.0F / 9;
  return (((7.0F / 6) * x - 2) * x) * x + 8.0F / 9;
}

constexpr SamplingKernel kSamplingKernels[] = {
    {"lanczos1", 1, Lanczos},
    {"lanczos3", 3, Lanczos},
    {"lanczos5", 5, Lanczos},
    {"gaussian", 1.5F, Gaussian},
    {"box", 1, Box},
    {"triangle", 1, Triangle},
    {"keyscubic", 2, KeysCubic},
    {"mitchellcubic", 2, MitchellCubic},
};

// Output x lies at (x - translation) / scale. The kernel widens if the image shrinks.
struct ScaleAndTranslate {
  SamplingKernel kernel;
  bool antialias, gradient;

  static absl::StatusOr<ScaleAndTranslate> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const auto type, node.Get<std::string>("kernel_type"));
    SLUICE_ASSIGN(const bool antialias, node.Get<bool>("antialias"));
    for (const SamplingKernel& kernel : kSamplingKernels) {
      if (kernel.name != absl::string_view(type)) continue;
      return ScaleAndTranslate{kernel, antialias, node.op == "ScaleAndTranslateGrad"};
    }
    return InvalidArgument("Unrecognized kernel type: ", type);
  }

  Filter FilterOf(int64_t in, int64_t out, float scale, float translation) const {
    const float inverse = 1 / scale, shift = -inverse * translation;
    const float widening = antialias ? std::max(inverse, 1.0F) : 1.0F;
    const float reach = kernel.radius * widening;
    Filter filter(in);
    std::vector<float> weights;
    for (int64_t x = 0; x < out; ++x) {
      // This must not be fused: rounding decides whether an edge lies inside.
      const float at = __builtin_assoc_barrier((static_cast<float>(x) + 0.5F) * inverse) + shift;
      weights.clear();
      if (!(at >= 0 && at <= static_cast<float>(in))) {
        filter.Add(0, {});
        continue;
      }
      const auto inside = [&](float i) {
        return static_cast<int64_t>(std::clamp<float>(i, 0, static_cast<float>(in - 1)));
      };
      const int64_t begin = inside(std::ceil(at - reach - 0.5F));
      const int64_t end = inside(std::floor(at + reach - 0.5F)) + 1;
      float sum = 0;
      for (int64_t i = begin; i < end; ++i) {
        const float distance = static_cast<float>(i) + 0.5F - at;
        weights.push_back(kernel.weight(std::abs(distance / widening), kernel.radius));
        sum += weights.back();
      }
      if (std::abs(sum) >= 1000 * std::numeric_limits<float>::min()) {
        for (float& weight : weights) weight *= 1 / sum;
      } else {
        weights.clear();
      }
      filter.Add(begin, weights);
    }
    return filter;
  }

  static absl::StatusOr<std::array<float, 2>> Pair(const Tensor& t) {
    if (t.rank() != 1) return InvalidArgument("t must be 1-dimensional", t.shape());
    if (t.num_elements() != 2) return InvalidArgument("t must have two elements", t.shape());
    return std::array<float, 2>{t.data<float>()[0], t.data<float>()[1]};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& images = ctx.input(0);
    SLUICE_RETURN_IF_ERROR(CheckImagesToResize(gradient ? "input_grad" : "input", images));
    ImageSize before{images.dim(1), images.dim(2)}, after = before;
    if (gradient) {
      SLUICE_RETURN_IF_ERROR(CheckImagesToResize("original_image", ctx.input(1)));
      before = {ctx.input(1).dim(1), ctx.input(1).dim(2)};
    } else {
      SLUICE_ASSIGN(after, ReadImageSize(ctx.input(1), "output_shape_t"));
    }
    SLUICE_ASSIGN(const auto scale, Pair(ctx.input(2)));
    SLUICE_ASSIGN(const auto translation, Pair(ctx.input(3)));
    if (!(scale[0] > 0 && scale[1] > 0)) {
      return InvalidArgument("Scale must be greater than zero.");
    }
    const ImageSize result = gradient ? before : after;
    SLUICE_ASSIGN(const Shape shape,
                  Shape::Create({images.dim(0), result.height, result.width, images.dim(3)}));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    const Filter rows = FilterOf(before.height, after.height, scale[0], translation[0]);
    const Filter columns = FilterOf(before.width, after.width, scale[1], translation[1]);
    if (gradient) return Resample(ctx, images, rows.Transposed(), columns.Transposed(), *out);
    return Resample(ctx, images, rows, columns, *out);
  }
};

}  // namespace

void RegisterResize(KernelRegistry& kernels) {
  const std::vector<TypeConstraint> real{{"T", kReal}};
  for (const char* op : {"ResizeBilinear", "ResizeBicubic", "ResizeArea"}) {
    kernels.Add<Resize>(op, kCpu, real);
  }
  for (const char* op : {"ResizeBilinearGrad", "ResizeBicubicGrad"}) {
    kernels.Add<ResizeGrad>(op, kCpu, {{"T", kFloating}});
  }
  kernels.Add<ResizeNearest>("ResizeNearestNeighbor", kCpu, real);
  kernels.Add<ResizeNearestGrad>("ResizeNearestNeighborGrad", kCpu, real);
  kernels.Add<ScaleAndTranslate>("ScaleAndTranslate", kCpu, real);
  kernels.Add<ScaleAndTranslate>("ScaleAndTranslateGrad", kCpu, {{"T", kFloat}});
}

}  // namespace sluice::kernels
