// SPDX-License-Identifier: Apache-2.0
// ImageConnectedComponents: a number for each region of equal pixels that touch at their sides.
// Pixels that are zero have the number 0.
#include <algorithm>
#include <string>

#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/cpu/image/register.h"

namespace sluice::kernels {
namespace {

using PixelTypes = TypeList<int64_t, int32_t, uint16_t, int16_t, uint8_t, int8_t, Half, float,
                            double, bool, std::string>;
constexpr DTypeSet kPixels = {kInt64, kInt32, kUint16, kInt16, kUint8, kInt8,
                              kHalf,  kFloat, kDouble, kBool,  kString};

template <typename T>
auto Comparable(const T& pixel) {
  if constexpr (std::is_same_v<T, std::string>) {
    return absl::string_view(pixel);
  } else if constexpr (std::is_same_v<T, Half>) {
    return static_cast<float>(pixel);
  } else {
    return pixel;
  }
}

struct ImageConnectedComponents {
  static absl::StatusOr<ImageConnectedComponents> Create(const NodeSpec&) {
    return ImageConnectedComponents{};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor images = ctx.input(0);
    if (images.rank() != 3) return InvalidArgument("Input images must have rank 3");
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, images.shape()));
    const int64_t height = images.dim(1), width = images.dim(2), area = height * width;
    auto* numbers = out->mutable_data<int64_t>();
    return VisitDType(PixelTypes{}, images.dtype(), [&]<typename T>(Type<T>) {
      ParallelFor(ctx.pool(), images.dim(0), 10.0 * static_cast<double>(area),
                  [&](int64_t begin, int64_t end) {
                    for (int64_t i = begin; i < end; ++i)
                      Number(images.data<T>() + i * area, height, width, i * area,
                             numbers + i * area);
                  });
      return absl::OkStatus();
    });
  }

 private:
  // The forest of regions is in `parents`: the first pixel of a region is its root.
  static int64_t Root(int64_t* parents, int64_t pixel) {
    while (parents[pixel] != pixel) {
      parents[pixel] = parents[parents[pixel]];
      pixel = parents[pixel];
    }
    return pixel;
  }

  static void Join(int64_t* parents, int64_t a, int64_t b) {
    a = Root(parents, a);
    b = Root(parents, b);
    (a < b ? parents[b] : parents[a]) = std::min(a, b);
  }

  // Numbers begin after `before`.
  template <typename T>
  static void Number(const T* pixels, int64_t height, int64_t width, int64_t before,
                     int64_t* numbers) {
    const auto equal = [&](int64_t a, int64_t b) {
      return Comparable(pixels[a]) == Comparable(pixels[b]);
    };
    for (const int64_t i : Cancellable(height * width)) numbers[i] = i;
    CancelPoints points(1 << 16);
    for (int64_t i = 0; i < height * width; ++i) {
      points.Pass();
      if (i % width > 0 && equal(i, i - 1)) Join(numbers, i, i - 1);
      if (i >= width && equal(i, i - width)) Join(numbers, i, i - width);
    }
    const T zero{};
    for (const int64_t i : Cancellable(height * width)) numbers[i] = Root(numbers, i);
    for (const int64_t i : Cancellable(height * width))
      numbers[i] = Comparable(pixels[i]) == Comparable(zero) ? 0 : before + numbers[i] + 1;
  }
};

}  // namespace

void RegisterConnectedComponents(KernelRegistry& kernels) {
  kernels.Add<ImageConnectedComponents>("ImageConnectedComponents", kCpu, {{"dtype", kPixels}});
}

}  // namespace sluice::kernels
