// SPDX-License-Identifier: Apache-2.0
// ResizeBilinear and ResizeNearestNeighbor with their gradients.
#include <gtest/gtest.h>

#include "kernels/cuda/image/register.h"
#include "tests/kernels/cuda/gpu_runner.h"
#include "tests/kernels/cuda/thread_orders.h"

namespace sluice::kernels {
namespace {

struct Sides {
  int32_t height, width;
};
constexpr Sides kSides[] = {{1, 1}, {5, 7}, {3, 3}, {11, 2}, {6, 40}};

AttrMap Attrs(bool align, bool centers) {
  return {{"align_corners", align}, {"half_pixel_centers", centers}};
}
// No op allows both.
std::vector<AttrMap> AllAttrs() {
  return {Attrs(false, false), Attrs(true, false), Attrs(false, true)};
}
Tensor Images(DType dtype, Sides sides, int seed) {
  return RandomTensor(dtype, Shape{2, sides.height, sides.width, 3}, seed, -9, 9);
}
Tensor Size(Sides sides) { return Tensor::Vector<int32_t>({sides.height, sides.width}); }

TEST(CudaResizeTest, ResizesAsTheCpu) {
  GpuRunner gpu(RegisterCudaImage);
  cuda::InEachOrder([&] {
    for (const AttrMap& attrs : AllAttrs()) {
      for (const Sides from : kSides) {
        for (const Sides to : kSides) {
          for (const DType dtype : {kFloat, kHalf, kUint8}) {
            const std::vector<Tensor> inputs = {Images(dtype, from, 1), Size(to)};
            EXPECT_EQ(gpu.Compare("ResizeBilinear", attrs, inputs, 1e-5), absl::OkStatus());
            EXPECT_EQ(gpu.Compare("ResizeNearestNeighbor", attrs, inputs, 0), absl::OkStatus());
          }
        }
      }
    }
  });
}

TEST(CudaResizeTest, GathersGradients) {
  GpuRunner gpu(RegisterCudaImage);
  const std::pair<DType, double> types[] = {
      {kFloat, 2e-5}, {kDouble, 2e-5}, {kHalf, 2e-2}, {kBfloat16, 1e-1}};
  cuda::InEachOrder([&] {
    for (const AttrMap& attrs : AllAttrs()) {
      for (const Sides from : kSides) {
        for (const Sides to : kSides) {
          for (const auto& [dtype, tolerance] : types) {
            EXPECT_EQ(gpu.Compare("ResizeBilinearGrad", attrs,
                                  {Images(kFloat, to, 1), Images(dtype, from, 2)}, tolerance),
                      absl::OkStatus())
                << Name(dtype) << " " << from.height << " " << to.height;
          }
          EXPECT_EQ(gpu.Compare("ResizeNearestNeighborGrad", attrs,
                                {Images(kFloat, to, 1), Size(from)}, 2e-5),
                    absl::OkStatus());
        }
      }
    }
  });
}

TEST(CudaResizeTest, RefusesWhatTheCpuRefuses) {
  GpuRunner gpu(RegisterCudaImage);
  const Tensor images = Images(kFloat, {2, 2}, 1), flat = RandomTensor(kFloat, Shape{2, 2}, 1);
  for (const char* op : {"ResizeBilinear", "ResizeNearestNeighbor", "ResizeNearestNeighborGrad"}) {
    EXPECT_EQ(gpu.Compare(op, Attrs(true, true), {images, Size({1, 1})}, 0), absl::OkStatus());
    EXPECT_EQ(gpu.Compare(op, Attrs(true, false), {flat, Size({1, 1})}, 0), absl::OkStatus());
    EXPECT_EQ(gpu.Compare(op, Attrs(true, false), {images, Size({0, 1})}, 0), absl::OkStatus());
  }
  EXPECT_EQ(gpu.Compare("ResizeBilinearGrad", Attrs(true, false), {images, flat}, 0),
            absl::OkStatus());
}

}  // namespace
}  // namespace sluice::kernels
