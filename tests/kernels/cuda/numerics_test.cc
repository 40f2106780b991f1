// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/cuda/debug/register.h"
#include "tests/kernels/cuda/gpu_runner.h"
#include "tests/kernels/cuda/thread_orders.h"

namespace sluice::kernels {
namespace {

TEST(CudaCheckNumericsTest, FindsWhatTheCpuFinds) {
  GpuRunner gpu(RegisterCudaDebug);
  const AttrMap attrs{{"message", std::string("here")}};
  const float inf = HUGE_VALF;
  cuda::InEachOrder([&] {
    for (const auto& odd : {std::vector<float>{}, {1}, {NAN}, {-inf}, {inf, NAN}}) {
      std::vector<float> numbers(3000, 2);
      std::copy(odd.begin(), odd.end(), numbers.end() - static_cast<int64_t>(odd.size()));
      EXPECT_EQ(gpu.Compare("CheckNumerics", attrs, {Tensor::Vector<float>(numbers)}, 0),
                absl::OkStatus());
    }
    for (const DType dtype : {kDouble, kHalf, kBfloat16, kFloat}) {
      EXPECT_EQ(gpu.Compare("CheckNumerics", attrs, {RandomTensor(dtype, Shape{0, 2}, 1)}, 0),
                absl::OkStatus());
      EXPECT_EQ(gpu.Compare("CheckNumerics", attrs, {RandomTensor(dtype, Shape{5, 2}, 1)}, 0),
                absl::OkStatus());
    }
  });
}

}  // namespace
}  // namespace sluice::kernels
