// SPDX-License-Identifier: Apache-2.0
// Random numbers on the GPU are the CPU's: bit for bit, but for functions of <cmath> in deviates.
#include <gtest/gtest.h>

#include "core/runtime/kernel_context.h"
#include "kernels/cpu/random/random_fill.h"
#include "kernels/cuda/random/random_fill.h"
#include "tests/kernels/cuda/device_array.h"

namespace sluice::cuda {
namespace {

using kernels::CpuRandomFiller;
using kernels::Philox;
using kernels::RandomDistribution;

constexpr int64_t kSizes[] = {0, 1, 3, 4, 5, 1000, 4099};
// The counter's low half overflows within the numbers of a test.
const Philox kStreams[] = {Philox(3, 4), Philox(0xFEDCBA9876543210u, ~uint64_t{0} - 2, 7)};

template <typename T>
constexpr DType kHostType = std::is_same_v<T, float>           ? kFloat
                            : std::is_same_v<T, double>        ? kDouble
                            : std::is_same_v<T, __half>        ? kHalf
                            : std::is_same_v<T, __nv_bfloat16> ? kBfloat16
                            : std::is_same_v<T, int32_t>       ? kInt32
                            : std::is_same_v<T, int64_t>       ? kInt64
                            : std::is_same_v<T, uint32_t>      ? kUint32
                                                               : kUint64;

// The CPU's numbers, by fill(context, tensor).
template <typename T, typename Fill>
std::vector<T> OnHost(int64_t n, Fill fill) {
  const StepContext step;
  KernelContext ctx(step, {}, {}, nullptr, 0, 0);
  Tensor tensor(kHostType<T>, Shape{n});
  EXPECT_EQ(fill(ctx, tensor), absl::OkStatus());
  const T* values = static_cast<const T*>(tensor.raw());
  return std::vector<T>(values, values + n);
}

template <typename T>
void ExpectSame(const std::vector<T>& got, const std::vector<T>& want, double tolerance) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < got.size(); ++i)
    ASSERT_TRUE(Near(got[i], AsDouble(want[i]), tolerance)) << "element " << i;
}

template <typename T>
class CudaRandomFloatTest : public testing::Test {};
using Floats = testing::Types<float, double, __half, __nv_bfloat16>;
TYPED_TEST_SUITE(CudaRandomFloatTest, Floats);

TYPED_TEST(CudaRandomFloatTest, DistributionsHaveTheCpusNumbers) {
  using T = TypeParam;
  for (RandomDistribution distribution : {RandomDistribution::kUniform, RandomDistribution::kNormal,
                                          RandomDistribution::kTruncatedNormal}) {
    for (const Philox& philox : kStreams) {
      for (int64_t n : kSizes) {
        SCOPED_TRACE(testing::Message() << static_cast<int>(distribution) << " " << n);
        DeviceArray<T> out(static_cast<size_t>(n));
        ASSERT_EQ(LaunchRandomFill(distribution, ElementFor<T>(), philox, out.data(), n, nullptr),
                  cudaSuccess);
        const auto want = OnHost<T>(n, [&](KernelContext& ctx, Tensor& tensor) {
          return CpuRandomFiller().Fill(ctx, distribution, philox, tensor);
        });
        ExpectSame(out.Read(), want,
                   distribution == RandomDistribution::kUniform ? 0.0 : ToleranceOf<T>());
      }
    }
  }
}

template <typename T>
class CudaRandomIntTest : public testing::Test {};
using Integers = testing::Types<int32_t, int64_t, uint32_t, uint64_t>;
TYPED_TEST_SUITE(CudaRandomIntTest, Integers);

TYPED_TEST(CudaRandomIntTest, IntegersAreTheCpus) {
  using T = TypeParam;
  const T low = std::is_signed_v<T> ? static_cast<T>(-5) : T(5);
  const T high = static_cast<T>(T(1) << (sizeof(T) * 8 - 2));
  const Tensor low_tensor = Tensor::Scalar<T>(low), high_tensor = Tensor::Scalar<T>(high);
  for (const Philox& philox : kStreams) {
    for (int64_t n : kSizes) {
      DeviceArray<T> bounded(static_cast<size_t>(n)), full(static_cast<size_t>(n));
      ASSERT_EQ(LaunchRandomInts(ElementFor<T>(), philox, static_cast<int64_t>(low),
                                 static_cast<int64_t>(high), bounded.data(), n, nullptr),
                cudaSuccess);
      ASSERT_EQ(LaunchRandomFullInts(ElementFor<T>(), philox, full.data(), n, nullptr),
                cudaSuccess);
      EXPECT_EQ(bounded.Read(), OnHost<T>(n, [&](KernelContext& ctx, Tensor& tensor) {
                  return CpuRandomFiller().FillInts(ctx, philox, low_tensor, high_tensor, tensor);
                }));
      EXPECT_EQ(full.Read(), OnHost<T>(n, [&](KernelContext& ctx, Tensor& tensor) {
                  return CpuRandomFiller().FillFullInts(ctx, philox, tensor);
                }));
    }
  }
}

TEST(CudaRandomTest, AnOutputNeedNotBeAligned) {
  DeviceArray<float> out(std::vector<float>(102, -1.0f));
  ASSERT_EQ(LaunchRandomFill(RandomDistribution::kUniform, Element::kFloat, Philox(1, 2),
                             out.data() + 1, 100, nullptr),
            cudaSuccess);
  const auto want = OnHost<float>(100, [&](KernelContext& ctx, Tensor& tensor) {
    return CpuRandomFiller().Fill(ctx, RandomDistribution::kUniform, Philox(1, 2), tensor);
  });
  const std::vector<float> got = out.Read();
  EXPECT_EQ(got.front(), -1);
  EXPECT_EQ(got.back(), -1);
  EXPECT_EQ(std::vector<float>(got.begin() + 1, got.end() - 1), want);
}

TEST(CudaRandomTest, OtherElementsAreRefused) {
  EXPECT_EQ(LaunchRandomFill(RandomDistribution::kNormal, Element::kInt32, Philox(1, 2), nullptr, 1,
                             nullptr),
            cudaErrorInvalidValue);
  EXPECT_EQ(LaunchRandomFullInts(Element::kFloat, Philox(1, 2), nullptr, 1, nullptr),
            cudaErrorInvalidValue);
}

}  // namespace
}  // namespace sluice::cuda
