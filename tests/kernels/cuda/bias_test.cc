// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/nn/bias.h"

#include <gtest/gtest.h>

#include "tests/kernels/cuda/device_array.h"

namespace sluice::cuda {
namespace {

template <typename T>
class CudaBiasTest : public testing::Test {};
using Floats = testing::Types<float, double, __half, __nv_bfloat16>;
TYPED_TEST_SUITE(CudaBiasTest, Floats);

TYPED_TEST(CudaBiasTest, EachChannelHasItsBias) {
  using T = TypeParam;
  constexpr int64_t kSizes[][3] = {{1, 1, 1},   {7, 5, 1}, {3, 4, 9}, {2, 300, 1},
                                   {1, 6, 500}, {0, 3, 1}, {3, 0, 2}};
  for (const auto& [outer, channels, inner] : kSizes) {
    SCOPED_TRACE(testing::Message() << outer << "x" << channels << "x" << inner);
    const std::vector<T> x = RandomNumbers<T>(static_cast<size_t>(outer * channels * inner), 1);
    const std::vector<T> b = RandomNumbers<T>(static_cast<size_t>(channels), 2);
    DeviceArray<T> in(x), bias(b);
    ASSERT_EQ(LaunchBiasAdd(ElementFor<T>(), in.data(), bias.data(), in.data(), outer, channels,
                            inner, nullptr),
              cudaSuccess);
    const std::vector<T> got = in.Read();
    for (size_t i = 0; i < x.size(); ++i) {
      const auto channel = static_cast<int64_t>(i) / inner % channels;
      ASSERT_TRUE(Near(got[i], AsDouble(x[i]) + AsDouble(b[static_cast<size_t>(channel)])));
    }
  }
}

}  // namespace
}  // namespace sluice::cuda
