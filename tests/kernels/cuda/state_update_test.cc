// SPDX-License-Identifier: Apache-2.0
// Arithmetic on variables in place, whole and by slices, against loops on the host.
#include <gtest/gtest.h>

#include "kernels/cuda/common/rows.h"
#include "tests/kernels/cuda/device_array.h"
#include "tests/kernels/cuda/thread_orders.h"

namespace sluice::cuda {
namespace {

template <typename T>
class StateUpdateTest : public testing::Test {};
using Numbers = testing::Types<float, double, __half, __nv_bfloat16, int8_t, int16_t, int32_t,
                               int64_t, uint8_t, uint16_t, uint32_t, uint64_t>;
TYPED_TEST_SUITE(StateUpdateTest, Numbers);

template <typename T>
T HostMet(Meeting how, T there, T value) {
  const auto a = Widen(there), b = Widen(value);
  using W = decltype(Widen(there));
  switch (how) {
    case Meeting::kAdd:
      return Narrow<T>(static_cast<W>(a + b));
    case Meeting::kSub:
      return Narrow<T>(static_cast<W>(a - b));
    case Meeting::kMul:
      return Narrow<T>(static_cast<W>(a * b));
    case Meeting::kDiv:
      return Narrow<T>(static_cast<W>(a / b));
    case Meeting::kMin:
      return b < a ? value : there;
    case Meeting::kMax:
      return a < b ? value : there;
  }
  return there;
}

template <typename T>
bool SameNumbers(const std::vector<T>& a, const std::vector<T>& b) {
  for (size_t i = 0; i < a.size(); ++i) {
    if (!Near(a[i], AsDouble(b[i]))) return false;
  }
  return a.size() == b.size();
}

TYPED_TEST(StateUpdateTest, MeetsEachElement) {
  using T = TypeParam;
  for (const size_t n : {size_t{0}, size_t{1}, size_t{33}, size_t{5000}}) {
    for (const Meeting how : {Meeting::kAdd, Meeting::kSub}) {
      const auto there = RandomNumbers<T>(n, 1, 10, 50), value = RandomNumbers<T>(n, 2, 1, 9);
      std::vector<T> want(n);
      for (size_t i = 0; i < n; ++i) want[i] = HostMet(how, there[i], value[i]);
      DeviceArray<T> to(there), from(value);
      ASSERT_EQ(LaunchUpdate(ElementFor<T>(), how, to.data(), from.data(), static_cast<int64_t>(n),
                             nullptr),
                cudaSuccess);
      EXPECT_TRUE(SameNumbers(to.Read(), want)) << n;
    }
  }
}

// Rows repeat: the order of additions is not fixed, but small whole numbers are exact in any.
TYPED_TEST(StateUpdateTest, MeetsRowsOneAfterTheOther) {
  using T = TypeParam;
  const std::vector<int64_t> indices = {3, 0, 3, -1, 4, 3, 9, 1};
  constexpr int64_t kRows = 6;  // even: the words of bytes are words of two
  for (const int64_t inner : {1, 3, 40}) {
    for (const bool scalar : {false, true}) {
      for (const Meeting how : {Meeting::kAdd, Meeting::kSub, Meeting::kMul, Meeting::kDiv,
                                Meeting::kMin, Meeting::kMax}) {
        auto there = RandomNumbers<T>(static_cast<size_t>(kRows * inner), 1, 30, 60);
        auto value =
            RandomNumbers<T>(scalar ? 1 : indices.size() * static_cast<size_t>(inner), 2, 1, 2);
        for (T& x : there) x = Narrow<T>(static_cast<Wide<T>>(std::round(AsDouble(x))));
        for (T& x : value) x = Narrow<T>(static_cast<Wide<T>>(std::round(AsDouble(x))));
        auto want = there;
        for (size_t i = 0; i < indices.size(); ++i) {
          if (indices[i] < 0 || indices[i] >= kRows) continue;
          for (int64_t k = 0; k < inner; ++k) {
            T& target = want[static_cast<size_t>(indices[i] * inner + k)];
            target = HostMet(
                how, target,
                value[scalar ? 0 : i * static_cast<size_t>(inner) + static_cast<size_t>(k)]);
          }
        }
        DeviceArray<int64_t> rows(indices);
        SlicePositions positions{};
        positions.indices = {rows.data(), 8};
        positions.count = static_cast<int64_t>(indices.size());
        positions.depth = 1;
        positions.dims[0] = kRows;
        InEachOrder([&] {
          DeviceArray<T> to(there), from(value);
          ASSERT_EQ(LaunchUpdateSlices(ElementFor<T>(), how, to.data(), positions, inner,
                                       from.data(), scalar, nullptr),
                    cudaSuccess);
          EXPECT_TRUE(SameNumbers(to.Read(), want)) << inner << " " << static_cast<int>(how);
        });
      }
    }
  }
}

TEST(ComplexUpdateTest, AddsRows) {
  using T = Complex<double>;
  DeviceArray<T> to(std::vector<T>{{1, 2}, {3, 4}}), from(std::vector<T>{{10, 1}, {20, 2}});
  DeviceArray<int32_t> rows(std::vector<int32_t>{1, 1});
  SlicePositions positions{};
  positions.indices = {rows.data(), 4};
  positions.count = 2;
  positions.depth = 1;
  positions.dims[0] = 2;
  ASSERT_EQ(LaunchUpdateSlices(Element::kComplex128, Meeting::kSub, to.data(), positions, 1,
                               from.data(), false, nullptr),
            cudaSuccess);
  const auto got = to.Read();
  EXPECT_TRUE(got[0] == T(1, 2));
  EXPECT_TRUE(got[1] == T(-27, 1));
  EXPECT_EQ(LaunchUpdateSlices(Element::kComplex128, Meeting::kMul, to.data(), positions, 1,
                               from.data(), false, nullptr),
            cudaErrorInvalidValue);
}

}  // namespace
}  // namespace sluice::cuda
