// SPDX-License-Identifier: Apache-2.0
// Special functions on the GPU are those of the CPU.
#include <gtest/gtest.h>

#include "kernels/cuda/math/register.h"
#include "tests/kernels/cuda/gpu_runner.h"

namespace sluice::kernels {
namespace {

TEST(CudaSpecialTest, ComputesWhatTheCpuComputes) {
  GpuRunner gpu(RegisterCudaMath);
  for (const auto& [dtype, tolerance] : {std::pair{kFloat, 1e-5}, {kDouble, 1e-11}}) {
    const Tensor a = RandomTensor(dtype, Shape{1, 400}, 1, -1, 30);
    const Tensor x = RandomTensor(dtype, Shape{3, 400}, 2, -1, 30);
    for (const char* op : {"Igamma", "Igammac", "IgammaGradA", "Zeta", "Polygamma"})
      EXPECT_EQ(gpu.Compare(op, {}, {a, x}, tolerance), absl::OkStatus()) << op;
    const Tensor order = RandomTensor(kInt64, Shape{1, 400}, 3, 0, 6);
    Tensor orders(dtype, Shape{1, 400});
    for (int64_t i = 0; i < 400; ++i) {
      const auto n = static_cast<double>(order.data<int64_t>()[i]);
      dtype == kFloat ? orders.mutable_data<float>()[i] = static_cast<float>(n)
                      : orders.mutable_data<double>()[i] = n;
    }
    EXPECT_EQ(gpu.Compare("Polygamma", {}, {orders, x}, 10 * tolerance), absl::OkStatus());
  }
  for (const auto& [dtype, tolerance] : {std::pair{kFloat, 1e-6}, {kDouble, 1e-13}, {kHalf, 1e-3}})
    for (const char* op : {"BesselI0e", "BesselI1e"})
      EXPECT_EQ(gpu.Compare(op, {}, {RandomTensor(dtype, Shape{999}, 1, -60, 60)}, tolerance),
                absl::OkStatus())
          << op;
}

}  // namespace
}  // namespace sluice::kernels
