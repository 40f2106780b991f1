// SPDX-License-Identifier: Apache-2.0
// ImageProjectiveTransform: a projective map gives the position at which each output pixel is read.
#include <algorithm>
#include <cmath>
#include <string>

#include "core/runtime/kernel_registry.h"
#include "kernels/common/round_each.h"
#include "kernels/cpu/image/register.h"

namespace sluice::kernels {
namespace {

using PixelTypes = TypeList<uint8_t, int32_t, int64_t, Half, float, double>;
using LaterPixelTypes =
    TypeList<uint8_t, int32_t, int64_t, Half, Bfloat16, float, double>;  // of V3

// What is read where the map leaves the image.
enum class Outside { kConstant, kReflect, kWrap, kNearest };

absl::StatusOr<Outside> OutsideOf(absl::string_view mode) {
  if (mode == "CONSTANT") return Outside::kConstant;
  if (mode == "REFLECT") return Outside::kReflect;
  if (mode == "WRAP") return Outside::kWrap;
  if (mode == "NEAREST") return Outside::kNearest;
  return InvalidArgument("Invalid mode ", mode,
                         ". Supported types: CONSTANT, REFLECT, WRAP, NEAREST");
}

// The position in [0, length - 1] that stands for `x`.
float Inside(Outside outside, float x, int64_t length) {
  if (outside == Outside::kConstant) return x;
  const auto size = static_cast<float>(length);
  const float last = size - 1;
  if (length <= 1) return 0;
  if (outside == Outside::kReflect) {  // abcd is dcba|abcd|dcba
    x -= 2 * size * std::floor(x / (2 * size));
    if (x > last) x = 2 * size - x - 1;
  } else if (outside == Outside::kWrap) {
    if (x < 0)
      x += size * (std::trunc(-x / last) + 1);
    else if (x > last)
      x -= size * std::trunc(x / last);
  }
  return std::clamp(x, 0.0F, last);
}

// One image [height, width, channels]; pixels outside are `fill`.
template <typename T>
struct Image {
  const T* pixels;
  int64_t height, width, channels;
  T fill;

  // `y` and `x` are whole numbers in floating point. They are compared as such: they may be far out
  // of range, or NaN.
  float at(float y, float x, int64_t channel) const {
    const T* pixel = find(y, x);
    return static_cast<float>(pixel == nullptr ? fill : pixel[channel]);
  }
  const T* find(float y, float x) const {
    if (!(y >= 0 && y < static_cast<float>(height) && x >= 0 && x < static_cast<float>(width)))
      return nullptr;
    return pixels + (static_cast<int64_t>(y) * width + static_cast<int64_t>(x)) * channels;
  }
};

struct ProjectiveTransform {
  bool bilinear;
  bool sized;   // V2: the output size is an input
  bool filled;  // V3: so is the value outside the image
  Outside outside;

  static absl::StatusOr<ProjectiveTransform> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const std::string interpolation, node.Get<std::string>("interpolation"));
    if (interpolation != "NEAREST" && interpolation != "BILINEAR") {
      return InvalidArgument("Invalid interpolation ", interpolation,
                             ". Supported types: NEAREST, BILINEAR");
    }
    const std::string mode = GetAttrOr(node.attrs, "fill_mode", std::string("CONSTANT"));
    SLUICE_ASSIGN(const Outside outside, OutsideOf(mode));
    return ProjectiveTransform{interpolation == "BILINEAR", node.op != "ImageProjectiveTransform",
                               node.op == "ImageProjectiveTransformV3", outside};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &images = ctx.input(0), &transforms = ctx.input(1);
    if (images.rank() != 4) return InvalidArgument("Input images must have rank 4");
    if (transforms.rank() != 2 || transforms.dim(1) != 8 ||
        (transforms.dim(0) != 1 && transforms.dim(0) != images.dim(0))) {
      return InvalidArgument("Input transform should be num_images x 8 or 1 x 8");
    }
    int64_t height = images.dim(1), width = images.dim(2);
    if (sized) {
      const Tensor& size = ctx.input(2);
      if (size.rank() != 1)
        return InvalidArgument("output shape must be 1-dimensional", size.shape());
      if (size.dim(0) != 2)
        return InvalidArgument("output shape must have two elements", size.shape());
      height = size.data<int32_t>()[0];
      width = size.data<int32_t>()[1];
      if (height <= 0 || width <= 0) return InvalidArgument("output dimensions must be positive");
    }
    if (filled && ctx.input(3).rank() != 0)
      return InvalidArgument("fill_value must be a scalar", ctx.input(3).shape());
    SLUICE_ASSIGN(const Shape shape, Shape::Create({images.dim(0), height, width, images.dim(3)}));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    return VisitDType(LaterPixelTypes{}, images.dtype(), [&]<typename T>(Type<T>) {
      const int64_t row = width * images.dim(3);
      const T fill = filled ? FillOf<T>(ctx.input(3).data<float>()[0]) : T(0);
      const double cost = (bilinear ? 8.0 : 3.0) * static_cast<double>(row);
      ParallelFor(ctx.pool(), images.dim(0) * height, cost, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          const int64_t n = i / height;
          const Image<T> image{images.data<T>() + n * images.dim(1) * images.dim(2) * images.dim(3),
                               images.dim(1), images.dim(2), images.dim(3), fill};
          const float* map = transforms.data<float>() + (transforms.dim(0) == 1 ? 0 : 8 * n);
          Row(image, map, i % height, width, out->mutable_data<T>() + i * row);
        }
      });
      return absl::OkStatus();
    });
  }

 private:
  template <typename T>
  void Row(const Image<T>& image, const float* map, int64_t y, int64_t width, T* to) const {
    const auto out_y = static_cast<float>(y);
    for (int64_t x = 0; x < width; ++x, to += image.channels) {
      const auto out_x = static_cast<float>(x);
      const float scale = map[6] * out_x + map[7] * out_y + 1.0F;
      if (scale == 0) {  // a point at infinity
        std::fill_n(to, image.channels, image.fill);
        continue;
      }
      const float in_x =
          Inside(outside, (map[0] * out_x + map[1] * out_y + map[2]) / scale, image.width);
      const float in_y =
          Inside(outside, (map[3] * out_x + map[4] * out_y + map[5]) / scale, image.height);
      if (bilinear) {
        Blend(image, in_y, in_x, to);
      } else if (const T* from = image.find(std::round(in_y), std::round(in_x))) {
        std::copy_n(from, image.channels, to);
      } else {
        std::fill_n(to, image.channels, image.fill);
      }
    }
  }

  // Integers wrap around, as in TensorFlow.
  template <typename T>
  static T FillOf(float value) {
    if constexpr (std::is_integral_v<T>) {
      constexpr float kLimit = 9.2e18F;
      return static_cast<T>(std::abs(value) < kLimit ? static_cast<int64_t>(value) : 0);
    } else {
      return T(value);
    }
  }

  template <typename T>
  static void Blend(const Image<T>& image, float y, float x, T* to) {
    const float top = std::floor(y), left = std::floor(x);
    const float bottom = top + 1, right = left + 1;
    for (int64_t c = 0; c < image.channels; ++c) {
      const float above =
          (right - x) * image.at(top, left, c) + (x - left) * image.at(top, right, c);
      const float below =
          (right - x) * image.at(bottom, left, c) + (x - left) * image.at(bottom, right, c);
      const float value = (bottom - y) * above + (y - top) * below;
      to[c] = T(value);
    }
  }
};

}  // namespace

void RegisterProjectiveTransform(KernelRegistry& kernels) {
  const DTypeSet pixels = SetOf(PixelTypes{});
  for (const char* op : {"ImageProjectiveTransform", "ImageProjectiveTransformV2"})
    kernels.Add<ProjectiveTransform>(op, kCpu, {{"dtype", pixels}});
  kernels.Add<ProjectiveTransform>("ImageProjectiveTransformV3", kCpu,
                                   {{"dtype", SetOf(LaterPixelTypes{})}});
}

}  // namespace sluice::kernels
