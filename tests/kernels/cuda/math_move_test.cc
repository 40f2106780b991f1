// SPDX-License-Identifier: Apache-2.0
// Casts, choices between elements, and AddN.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/cuda/common/layout.h"
#include "kernels/cuda/math/addn.h"
#include "kernels/cuda/math/cast.h"
#include "kernels/cuda/math/select.h"
#include "tests/kernels/cuda/device_array.h"

namespace sluice::cuda {
namespace {

template <typename From, typename To>
typename DeviceArray<To>::Host Cast(const typename DeviceArray<From>::Host& x,
                                    bool truncate = false) {
  DeviceArray<From> in(x);
  DeviceArray<To> out(x.size());
  EXPECT_EQ(LaunchCast(ElementFor<From>(), ElementFor<To>(), truncate, in.data(), out.data(),
                       static_cast<int64_t>(x.size()), nullptr),
            cudaSuccess);
  return out.Read();
}

template <typename T>
double RealPart(T x) {
  if constexpr (kIsComplex<T>) {
    return static_cast<double>(x.re);
  } else {
    return AsDouble(x);
  }
}

// Small whole numbers, which every type can hold.
template <typename From, typename To>
void CheckCast(int seed) {
  for (size_t n : {0, 1, 37, 5003}) {
    const auto x = RandomNumbers<From>(n, seed, 0, 100);
    const auto y = Cast<From, To>(x);
    for (size_t i = 0; i < n; ++i) {
      double want = RealPart(x[i]);
      if constexpr (std::is_integral_v<To>) want = std::trunc(want);
      if constexpr (std::is_same_v<To, bool>) want = RealPart(x[i]) != 0 ? 1 : 0;
      double bound = 0;
      if constexpr (kIsNarrow<To>) bound = ToleranceOf<To>() * 100;
      if constexpr (std::is_same_v<To, float> || std::is_same_v<To, Complex<float>>) bound = 1e-5;
      ASSERT_NEAR(RealPart(y[i]), want, bound);
    }
  }
}

template <typename From, typename... To>
void CheckCastsTo(int seed) {
  (CheckCast<From, To>(seed), ...);
}
template <typename... T>
void CheckAllCasts() {
  for (int seed : kSeeds) (CheckCastsTo<T, T...>(seed), ...);
}

TEST(CastTest, EveryTypeToEveryType) {
  CheckAllCasts<float, double, __half, __nv_bfloat16, int8_t, int16_t, int32_t, int64_t, uint8_t,
                uint16_t, uint32_t, uint64_t, bool, Complex<float>, Complex<double>>();
}

TEST(CastTest, ValuesThatDoNotFitAreTheCpus) {
  const std::vector<float> x{NAN, INFINITY, -INFINITY, 3e9f, -1.5f, 300.7f};
  EXPECT_EQ((Cast<float, int32_t>(x)),
            (std::vector<int32_t>{INT32_MIN, INT32_MIN, INT32_MIN, INT32_MIN, -1, 300}));
  EXPECT_EQ((Cast<float, uint8_t>(x)), (std::vector<uint8_t>{0, 0, 0, 0, 255, 44}));
  EXPECT_EQ((Cast<float, int64_t>(x)),
            (std::vector<int64_t>{INT64_MIN, INT64_MIN, INT64_MIN, 3'000'000'000, -1, 300}));
  EXPECT_EQ((Cast<double, uint64_t>({0x1.8p63, -1.0, 7.9})),
            (std::vector<uint64_t>{3ull << 62, ~uint64_t{0}, 7}));
  EXPECT_EQ((Cast<int64_t, int8_t>({300, -129})), (std::vector<int8_t>{44, 127}));
}

TEST(CastTest, RoundsOrTruncates) {
  const std::vector<float> x{1.0f + 0x1.8p-10f, -1.0f - 0x1.8p-8f, NAN};
  EXPECT_EQ(AsDouble(Cast<float, __half>(x)[0]), 1 + 0x1p-9);
  EXPECT_EQ(AsDouble(Cast<float, __half>(x, true)[0]), 1 + 0x1p-10);
  EXPECT_EQ(AsDouble(Cast<float, __nv_bfloat16>(x)[1]), -1 - 0x1p-7);
  EXPECT_EQ(AsDouble(Cast<float, __nv_bfloat16>(x, true)[1]), -1);
  EXPECT_TRUE(std::isnan(AsDouble(Cast<float, __half>(x, true)[2])));
}

template <typename T>
class SelectTest : public testing::Test {};
using OfEverySize = testing::Types<uint8_t, __half, float, double, Complex<double>>;
TYPED_TEST_SUITE(SelectTest, OfEverySize);

TYPED_TEST(SelectTest, ChoosesElementsRowsAndScalars) {
  using T = TypeParam;
  constexpr int64_t kRows = 61, kColumns = 43;
  const size_t n = kRows * kColumns;
  struct Strides {
    int64_t outer[3], inner[3];
    size_t condition;
  };
  // By element; by row; by a scalar; by column, from a scalar.
  const Strides cases[] = {{{kColumns, kColumns, kColumns}, {1, 1, 1}, n},
                           {{1, kColumns, kColumns}, {0, 1, 1}, kRows},
                           {{0, kColumns, kColumns}, {0, 1, 1}, 1},
                           {{0, kColumns, 0}, {1, 1, 0}, kColumns}};
  for (int seed : kSeeds) {
    const auto t = RandomNumbers<T>(n, seed), e = RandomNumbers<T>(n, seed + 10);
    DeviceArray<T> then(t), otherwise(e), out(n);
    for (const Strides& strides : cases) {
      const auto c = RandomNumbers<bool>(strides.condition, seed);
      DeviceArray<bool> condition(c);
      Layout<3> layout;
      const bool flat = strides.condition == n || strides.condition == 1;
      if (flat) {
        layout.AddDim(kRows * kColumns, strides.inner);
      } else {
        layout.AddDim(kColumns, strides.inner);
        layout.AddDim(kRows, strides.outer);
      }
      ASSERT_EQ(LaunchSelect(sizeof(T), condition.data(), then.data(), otherwise.data(), out.data(),
                             layout, nullptr),
                cudaSuccess);
      const auto got = out.Read();
      for (size_t i = 0; i < n; ++i) {
        const auto at = [&](int o) {
          return i / kColumns * static_cast<size_t>(strides.outer[o]) +
                 i % kColumns * static_cast<size_t>(strides.inner[o]);
        };
        const T want = c[at(0)] != 0 ? t[at(1)] : e[at(2)];
        ASSERT_EQ(RealPart(got[i]), RealPart(want)) << i;
      }
    }
  }
}

TEST(SelectTest, RefusesOtherSizes) {
  EXPECT_EQ(LaunchSelect(3, nullptr, nullptr, nullptr, nullptr, Layout<3>{}, nullptr),
            cudaErrorInvalidValue);
}

template <typename T>
void CheckClip() {
  const size_t n = 3001;
  for (int seed : kSeeds) {
    auto x = RandomNumbers<T>(n, seed, -100, 100);
    const auto low = RandomNumbers<T>(n, seed + 10, -60, 0);
    const auto high = RandomNumbers<T>(n, seed + 20, 60, 90);
    DeviceArray<T> in(x), least(low), most(high), out(n);
    for (bool low_fixed : {false, true}) {
      for (bool high_fixed : {false, true}) {
        ASSERT_EQ(LaunchClip(ElementFor<T>(), in.data(), least.data(), low_fixed, most.data(),
                             high_fixed, out.data(), n, nullptr),
                  cudaSuccess);
        const auto got = out.Read();
        for (size_t i = 0; i < n; ++i) {
          const double bound_low = AsDouble(low[low_fixed ? 0 : i]);
          const double bound_high = AsDouble(high[high_fixed ? 0 : i]);
          ASSERT_EQ(AsDouble(got[i]), std::max(std::min(AsDouble(x[i]), bound_high), bound_low));
        }
      }
    }
  }
}

TEST(ClipTest, BoundsAreElementsOrScalars) {
  CheckClip<float>();
  CheckClip<double>();
  CheckClip<__half>();
  CheckClip<__nv_bfloat16>();
  CheckClip<int8_t>();
  CheckClip<int16_t>();
  CheckClip<int64_t>();
  CheckClip<uint8_t>();
  CheckClip<uint16_t>();
}

TEST(ClipTest, NanStays) {
  DeviceArray<float> x({NAN, 5, -5}), low(std::vector<float>{-1}), high(std::vector<float>{1});
  ASSERT_EQ(LaunchClip(Element::kFloat, x.data(), low.data(), true, high.data(), true, x.data(), 3,
                       nullptr),
            cudaSuccess);
  const auto got = x.Read();
  EXPECT_TRUE(std::isnan(got[0]));
  EXPECT_EQ(got[1], 1);
  EXPECT_EQ(got[2], -1);
}

template <typename T>
void CheckAddN() {
  for (int count : {1, 2, 7, 8, 9, 15, 20}) {
    for (size_t n : {0, 1, 1027}) {
      std::vector<typename DeviceArray<T>::Host> values;
      std::vector<std::unique_ptr<DeviceArray<T>>> arrays;
      std::vector<const void*> inputs;
      for (int k = 0; k < count; ++k) {
        values.push_back(RandomNumbers<T>(n, k));
        arrays.push_back(std::make_unique<DeviceArray<T>>(values.back()));
        inputs.push_back(arrays.back()->data());
      }
      // In place of the first.
      ASSERT_EQ(LaunchAddN(ElementFor<T>(), inputs.data(), count, arrays[0]->data(),
                           static_cast<int64_t>(n), nullptr),
                cudaSuccess);
      const auto sum = arrays[0]->Read();
      for (size_t i = 0; i < n; ++i) {
        double want = 0;
        for (const auto& value : values) want += RealPart(value[i]);
        double bound = 1e-4;
        if constexpr (kIsNarrow<T>) bound = ToleranceOf<T>() * (8 + std::fabs(want));
        ASSERT_NEAR(RealPart(sum[i]), want, bound);
      }
    }
  }
}

TEST(AddNTest, AnyNumberOfInputs) {
  CheckAddN<float>();
  CheckAddN<double>();
  CheckAddN<__half>();
  CheckAddN<__nv_bfloat16>();
  CheckAddN<int64_t>();
  CheckAddN<Complex<float>>();
  CheckAddN<Complex<double>>();
}

}  // namespace
}  // namespace sluice::cuda
