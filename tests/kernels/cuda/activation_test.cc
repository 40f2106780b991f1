// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/nn/activation.h"

#include <gtest/gtest.h>

#include "tests/kernels/cuda/device_array.h"

namespace sluice::cuda {
namespace {

constexpr float kAlpha = 0.25f;
constexpr double kScale = 1.0507009873554805, kScaledAlpha = 1.7580993408473769;

struct Function {
  Activation f;
  double (*of)(double x);
  double (*grad)(double g, double x);  // x: the output for Elu and Selu
};

const Function kFunctions[] = {
    {Activation::kRelu, [](double x) { return x < 0 ? 0 : x; },
     [](double g, double x) { return x > 0 ? g : 0; }},
    {Activation::kRelu6, [](double x) { return x < 0   ? 0
                                               : x > 6 ? 6
                                                       : x; },
     [](double g, double x) { return x > 0 && x < 6 ? g : 0; }},
    {Activation::kLeakyRelu, [](double x) { return x > 0 ? x : x * kAlpha; },
     [](double g, double x) { return x > 0 ? g : g * kAlpha; }},
    {Activation::kElu, [](double x) { return x < 0 ? std::expm1(x) : x; },
     [](double g, double y) { return y < 0 ? g * (y + 1) : g; }},
    {Activation::kSelu, [](double x) { return x < 0 ? kScaledAlpha * std::expm1(x) : kScale * x; },
     [](double g, double y) { return y < 0 ? g * (y + kScaledAlpha) : g * kScale; }},
    {Activation::kSoftplus, [](double x) { return std::log1p(std::exp(x)); },
     [](double g, double x) { return g / (1 + std::exp(-x)); }},
    {Activation::kSoftsign, [](double x) { return x / (1 + std::fabs(x)); },
     [](double g, double x) { return g / ((1 + std::fabs(x)) * (1 + std::fabs(x))); }},
};

template <typename T>
class CudaActivationTest : public testing::Test {};
using Floats = testing::Types<float, double, __half, __nv_bfloat16>;
TYPED_TEST_SUITE(CudaActivationTest, Floats);

// Narrow types round each step.
template <typename T>
constexpr double kSteps = kIsNarrow<T> ? 4 : 2;

TYPED_TEST(CudaActivationTest, FunctionsAndGradientsAreThoseOfTheHost) {
  using T = TypeParam;
  for (const Function& function : kFunctions) {
    for (size_t n : {0, 1, 300, 5000}) {
      SCOPED_TRACE(testing::Message() << static_cast<int>(function.f) << " " << n);
      const std::vector<T> x = RandomNumbers<T>(n, 1, -8, 8), g = RandomNumbers<T>(n, 2);
      DeviceArray<T> in(x), gradient(g), of(x), out(n);
      const auto count = static_cast<int64_t>(n);
      ASSERT_EQ(LaunchActivation(function.f, ElementFor<T>(), in.data(), in.data(), count, kAlpha,
                                 nullptr),
                cudaSuccess);
      ASSERT_EQ(LaunchActivationGrad(function.f, ElementFor<T>(), gradient.data(), of.data(),
                                     out.data(), count, kAlpha, nullptr),
                cudaSuccess);
      const std::vector<T> values = in.Read(), gradients = out.Read();
      for (size_t i = 0; i < n; ++i) {
        const double v = AsDouble(x[i]);
        ASSERT_TRUE(Near(values[i], function.of(v), kSteps<T> * ToleranceOf<T>())) << v;
        ASSERT_TRUE(
            Near(gradients[i], function.grad(AsDouble(g[i]), v), kSteps<T> * ToleranceOf<T>()))
            << v;
      }
    }
  }
}

TYPED_TEST(CudaActivationTest, NanStaysNanInFunctions) {
  using T = TypeParam;
  const T nan = Narrow<T>(static_cast<Wide<T>>(NAN));
  for (const Function& function : kFunctions) {
    DeviceArray<T> in(std::vector<T>{nan});
    ASSERT_EQ(
        LaunchActivation(function.f, ElementFor<T>(), in.data(), in.data(), 1, kAlpha, nullptr),
        cudaSuccess);
    EXPECT_TRUE(std::isnan(AsDouble(in.Read()[0]))) << static_cast<int>(function.f);
  }
}

}  // namespace
}  // namespace sluice::cuda
