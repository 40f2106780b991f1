// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "kernels/cuda/nn/register.h"
#include "tests/kernels/cuda/gpu_runner.h"
#include "tests/kernels/cuda/thread_orders.h"

namespace sluice::kernels {
namespace {

AttrMap Attrs(int64_t radius, float beta) {
  return {{"depth_radius", radius}, {"bias", 1.5f}, {"alpha", 0.25f}, {"beta", beta}};
}

TEST(CudaLrnTest, ComputesWhatTheCpuComputes) {
  GpuRunner gpu(RegisterCudaNn);
  const std::pair<DType, double> types[] = {{kFloat, 1e-5}, {kHalf, 2e-3}, {kBfloat16, 2e-2}};
  cuda::InEachOrder([&] {
    for (const auto& [dtype, tolerance] : types) {
      for (const Shape& shape : {Shape{2, 3, 1, 7}, Shape{1, 1, 2, 300}, Shape{2, 0, 1, 3}}) {
        const Tensor x = RandomTensor(dtype, shape, 1), y = RandomTensor(dtype, shape, 2);
        const Tensor grad = RandomTensor(dtype, shape, 3);
        for (const int64_t radius : {0, 2, 20}) {
          for (const float beta : {0.5f, 1.0f, 0.75f}) {
            const AttrMap attrs = Attrs(radius, beta);
            EXPECT_EQ(gpu.Compare("LRN", attrs, {x}, tolerance), absl::OkStatus());
            EXPECT_EQ(gpu.Compare("LRNGrad", attrs, {grad, x, y}, tolerance), absl::OkStatus())
                << Name(dtype) << " " << radius << " " << beta;
          }
        }
      }
    }
  });
}

TEST(CudaLrnTest, RefusesWhatTheCpuRefuses) {
  GpuRunner gpu(RegisterCudaNn);
  const Tensor x = RandomTensor(kFloat, Shape{2, 3}, 1);
  const Tensor image = RandomTensor(kFloat, Shape{1, 2, 3, 4}, 1);
  EXPECT_EQ(gpu.Compare("LRN", Attrs(1, 1), {x}, 0), absl::OkStatus());
  EXPECT_EQ(gpu.Compare("LRN", Attrs(-1, 1), {image}, 0), absl::OkStatus());
  EXPECT_EQ(gpu.Compare("LRNGrad", Attrs(1, 1), {image, image, x}, 0), absl::OkStatus());
}

}  // namespace
}  // namespace sluice::kernels
