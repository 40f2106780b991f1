// SPDX-License-Identifier: Apache-2.0
// Resampler: reads an image between its pixels, at points given for each image; and its gradients.
// Outside the image is 0, so values fade over the width of a pixel.
#include <algorithm>
#include <cmath>

#include "core/runtime/kernel_registry.h"
#include "kernels/common/round_each.h"
#include "kernels/cpu/image/register.h"

namespace sluice::kernels {
namespace {

using SampledTypes = TypeList<Half, float, double>;

absl::Status CheckSampled(const Tensor& data, const Tensor& warp) {
  if (data.rank() != 4) {
    return Unimplemented("Only bilinear interpolation is currently supported. The input data ",
                         "shape must be [batch_size, data_height, data_width, data_channels], ",
                         "but is: ", data.shape());
  }
  if (warp.rank() < 2)
    return InvalidArgument("warp should be at least a matrix, got shape ", warp.shape());
  if (warp.dim(warp.rank() - 1) != 2) {
    return Unimplemented(
        "Only bilinear interpolation is supported, warping coordinates must be ",
        "2D; warp shape last entry should be 2, but shape vector is: ", warp.shape());
  }
  if (data.dim(0) != warp.dim(0)) {
    return InvalidArgument("Batch size of data and warp tensor must be the same, but input ",
                           "shapes are: ", data.shape(), ", ", warp.shape());
  }
  return absl::OkStatus();
}

Shape SampledShape(const Tensor& data, const Tensor& warp) {
  Shape shape = warp.shape();
  shape.RemoveDim(warp.rank() - 1);
  shape.AddDim(data.dim(3));
  return shape;
}

// The four pixels around a point, and the weights of the left and of the upper ones.
template <typename T>
struct Around {
  int64_t x, y;
  T left, upper;

  // Corner i: 0 and 1 are the upper ones, 0 and 2 the left ones.
  T part(int i) const { return (i % 2 == 0 ? left : 1 - left) * (i < 2 ? upper : 1 - upper); }
};

template <typename T>
struct Sampled {
  using C = ComputeType<T>;
  int64_t height, width, channels, points;  // sizes of one image

  Sampled(const Tensor& data, const Tensor& warp)
      : height(data.dim(1)),
        width(data.dim(2)),
        channels(data.dim(3)),
        points(warp.num_elements() / std::max<int64_t>(1, 2 * warp.dim(0))) {}

  bool Find(const T* point, Around<C>& around) const {
    const auto x = static_cast<C>(point[0]), y = static_cast<C>(point[1]);
    if (!(x > -1 && y > -1 && x < static_cast<C>(width) && y < static_cast<C>(height)))
      return false;
    const C fx = std::floor(x), fy = std::floor(y);
    around = {static_cast<int64_t>(fx), static_cast<int64_t>(fy), fx + 1 - x, fy + 1 - y};
    return true;
  }
  // The offset of a corner's channels in an image; -1 if the corner is outside.
  int64_t Corner(const Around<C>& around, int i) const {
    const int64_t x = around.x + i % 2, y = around.y + i / 2;
    return x < 0 || y < 0 || x >= width || y >= height ? -1 : (y * width + x) * channels;
  }
  int64_t image() const { return height * width * channels; }
};

struct Resampler {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor &data = ctx.input(0), &warp = ctx.input(1);
    SLUICE_RETURN_IF_ERROR(CheckSampled(data, warp));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, SampledShape(data, warp)));
    return VisitDType(SampledTypes{}, data.dtype(), [&]<typename T>(Type<T>) {
      const Sampled<T> s(data, warp);
      const double cost = 10.0 + 8.0 * static_cast<double>(s.channels);
      ParallelFor(ctx.pool(), warp.num_elements() / 2, cost, [&](int64_t begin, int64_t end) {
        for (int64_t p = begin; p < end; ++p) {
          const T* image = data.data<T>() + p / s.points * s.image();
          Read(s, image, warp.data<T>() + 2 * p, out->mutable_data<T>() + p * s.channels);
        }
      });
      return absl::OkStatus();
    });
  }

  template <typename T>
  static void Read(const Sampled<T>& s, const T* image, const T* point, T* to) {
    using C = ComputeType<T>;
    Around<C> around;
    const bool found = s.Find(point, around);
    for (int64_t c = 0; c < s.channels; ++c) {
      C sum = 0;
      for (int i = 0; found && i < 4; ++i) {
        const int64_t corner = s.Corner(around, i);
        if (corner >= 0) sum += around.part(i) * static_cast<C>(image[corner + c]);
      }
      to[c] = T(sum);
    }
  }
};

struct ResamplerGrad {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor &data = ctx.input(0), &warp = ctx.input(1), &grad = ctx.input(2);
    SLUICE_RETURN_IF_ERROR(CheckSampled(data, warp));
    if (grad.shape() != SampledShape(data, warp)) {
      return InvalidArgument("grad_output shape is not consistent with data and warp shapes; it ",
                             "should be ", SampledShape(data, warp), " but is ", grad.shape());
    }
    SLUICE_ASSIGN(Tensor * to_data, ctx.AllocateOutput(0, data.shape()));
    SLUICE_ASSIGN(Tensor * to_warp, ctx.AllocateOutput(1, warp.shape()));
    return VisitDType(SampledTypes{}, data.dtype(), [&]<typename T>(Type<T>) {
      std::fill_n(to_data->mutable_data<T>(), data.num_elements(), T(0));
      const Sampled<T> s(data, warp);
      const double cost = 40.0 * static_cast<double>(s.points * s.channels);
      // Shards are whole images, because the points of one image may share pixels.
      ParallelFor(ctx.pool(), data.dim(0), cost, [&](int64_t begin, int64_t end) {
        for (int64_t p = begin * s.points; p < end * s.points; ++p) {
          const int64_t image = p / s.points * s.image();
          Spread(s, data.data<T>() + image, warp.data<T>() + 2 * p, grad.data<T>() + p * s.channels,
                 to_data->mutable_data<T>() + image, to_warp->mutable_data<T>() + 2 * p);
        }
      });
      return absl::OkStatus();
    });
  }

  template <typename T>
  static void Spread(const Sampled<T>& s, const T* image, const T* point, const T* grad,
                     T* to_image, T* to_point) {
    using C = ComputeType<T>;
    Around<C> around;
    C by_x = 0, by_y = 0;
    const bool found = s.Find(point, around);
    for (int64_t c = 0; found && c < s.channels; ++c) {
      const auto g = static_cast<C>(grad[c]);
      C at[4] = {0, 0, 0, 0};
      for (int i = 0; i < 4; ++i) {
        const int64_t corner = s.Corner(around, i);
        if (corner < 0) continue;
        at[i] = static_cast<C>(image[corner + c]);
        T& pixel = to_image[corner + c];
        pixel = T(static_cast<C>(pixel) + g * around.part(i));
      }
      const C lower = 1 - around.upper, right = 1 - around.left;
      by_x += g * (lower * (at[3] - at[2]) + around.upper * (at[1] - at[0]));
      by_y += g * (right * (at[3] - at[1]) + around.left * (at[2] - at[0]));
    }
    to_point[0] = T(by_x);
    to_point[1] = T(by_y);
  }
};

}  // namespace

void RegisterResampler(KernelRegistry& kernels) {
  const DTypeSet types = SetOf(SampledTypes{});
  kernels.Add<Resampler>("Resampler", kCpu, {{"T", types}});
  kernels.Add<ResamplerGrad>("ResamplerGrad", kCpu, {{"T", types}});
}

}  // namespace sluice::kernels
