// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/cuda/nn/register.h"
#include "tests/kernels/cuda/gpu_runner.h"
#include "tests/kernels/cuda/thread_orders.h"

namespace sluice::kernels {
namespace {

Tensor Count(int64_t k) { return Tensor::Scalar<int32_t>(static_cast<int32_t>(k)); }

TEST(CudaTopKTest, PicksWhatTheCpuPicks) {
  GpuRunner gpu(RegisterCudaNn);
  cuda::InEachOrder([&] {
    for (const DType dtype : {kFloat, kDouble, kHalf, kBfloat16, kInt8, kInt64, kUint8, kUint64}) {
      for (const auto& [rows, n] : {std::pair{3, 1}, {2, 7}, {1, 1500}}) {
        const Tensor x = RandomTensor(dtype, Shape{rows, n}, /*seed=*/2, -50, 50);
        for (const int64_t k : {0, 1, n / 2, n}) {
          EXPECT_EQ(gpu.Compare("TopKV2", {}, {x, Count(k)}, 0), absl::OkStatus())
              << Name(dtype) << " " << rows << " " << n << " " << k;
        }
      }
    }
  });
}

TEST(CudaTopKTest, OrdersZerosInfinitiesAndNan) {
  GpuRunner gpu(RegisterCudaNn);
  const float inf = HUGE_VALF;
  const Tensor x = Tensor::Vector<float>({NAN, 0.f, -0.f, -inf, inf, -1, NAN, 0.f, inf, 3});
  for (const int64_t k : {1, 3, 5, 8, 10})
    EXPECT_EQ(gpu.Compare("TopKV2", {}, {x, Count(k)}, 0), absl::OkStatus()) << k;
  EXPECT_EQ(gpu.Compare("TopK", {{"k", int64_t{4}}}, {x}, 0), absl::OkStatus());
}

TEST(CudaTopKTest, RefusesWhatTheCpuRefuses) {
  GpuRunner gpu(RegisterCudaNn);
  const Tensor x = RandomTensor(kFloat, Shape{2, 3}, 1);
  for (const int64_t k : {-1, 4})
    EXPECT_EQ(gpu.Compare("TopKV2", {}, {x, Count(k)}, 0), absl::OkStatus());
  EXPECT_EQ(gpu.Compare("TopKV2", {}, {Tensor::Scalar<float>(1), Count(0)}, 0), absl::OkStatus());
}

}  // namespace
}  // namespace sluice::kernels
