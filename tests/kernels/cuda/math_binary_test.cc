// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "kernels/common/broadcast.h"
#include "kernels/cuda/common/binary.h"
#include "kernels/cuda/common/layout_of.h"
#include "tests/kernels/cuda/device_array.h"

namespace sluice::cuda {
namespace {

using Sizes = std::vector<int64_t>;

size_t CountOf(const Sizes& sizes) {
  size_t n = 1;
  for (int64_t size : sizes) n *= static_cast<size_t>(size);
  return n;
}

Shape ShapeOf(const Sizes& sizes) {
  Shape shape;
  for (int64_t size : sizes) shape.AddDim(size);
  return shape;
}

// The flat index, in an operand of `own` sizes, of the element for `index` of the result.
size_t OperandIndex(size_t index, const Sizes& result, const Sizes& own) {
  size_t at = 0, stride = 1;
  for (size_t d = 0; d < result.size(); ++d) {  // from the innermost
    const size_t size = static_cast<size_t>(result[result.size() - 1 - d]);
    const size_t coordinate = index % size;
    index /= size;
    if (d >= own.size()) continue;
    const size_t mine = static_cast<size_t>(own[own.size() - 1 - d]);
    if (mine > 1) at += coordinate * stride;
    stride *= mine;
  }
  return at;
}

struct Meeting {
  Sizes a, b, result;
};
const Meeting kMeetings[] = {
    {{}, {}, {}},
    {{7}, {7}, {7}},
    {{5}, {}, {5}},
    {{}, {2, 3}, {2, 3}},
    {{0, 3}, {3}, {0, 3}},
    {{4, 1}, {1, 5}, {4, 5}},
    {{17, 33}, {33}, {17, 33}},
    {{17, 33}, {17, 1}, {17, 33}},
    {{2, 3, 5}, {3, 1}, {2, 3, 5}},
    {{3, 1, 5, 1}, {2, 1, 7}, {3, 2, 5, 7}},
    {{2, 1, 3, 1, 2}, {5, 1, 4, 1}, {2, 5, 3, 4, 2}},
    {{2, 1, 3, 1, 2, 1}, {1, 3, 1, 2, 1, 5}, {2, 3, 3, 2, 2, 5}},
};

struct Function {
  BinaryOp op;
  double (*of)(double, double);
  double low = -4;
  double high = 4;
};

double FloorMod(double a, double b) {
  const double r = std::fmod(a, b);
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

const Function kFunctions[] = {
    {BinaryOp::kAdd, [](double a, double b) { return a + b; }},
    {BinaryOp::kSub, [](double a, double b) { return a - b; }},
    {BinaryOp::kMul, [](double a, double b) { return a * b; }},
    {BinaryOp::kMaximum, [](double a, double b) { return std::max(a, b); }},
    {BinaryOp::kMinimum, [](double a, double b) { return std::min(a, b); }},
    {BinaryOp::kSquaredDifference, [](double a, double b) { return (a - b) * (a - b); }},
    {BinaryOp::kDiv, [](double a, double b) { return a / b; }, 0.5},
    {BinaryOp::kRealDiv, [](double a, double b) { return a / b; }, 0.5},
    {BinaryOp::kDivNoNan, [](double a, double b) { return b == 0 ? 0 : a / b; }, 0.5},
    {BinaryOp::kMulNoNan, [](double a, double b) { return b == 0 ? 0 : a * b; }},
    {BinaryOp::kXdivy, [](double a, double b) { return a == 0 ? 0 : a / b; }, 0.5},
    {BinaryOp::kXlogy, [](double a, double b) { return a == 0 ? 0 : a * std::log(b); }, 0.1},
    {BinaryOp::kXlog1py, [](double a, double b) { return a == 0 ? 0 : a * std::log1p(b); }, -0.5},
    {BinaryOp::kPow, [](double a, double b) { return std::pow(a, b); }, 0.2, 3},
    {BinaryOp::kAtan2, [](double a, double b) { return std::atan2(a, b); }},
    {BinaryOp::kTruncateMod, [](double a, double b) { return std::fmod(a, b); }, 0.5},
    {BinaryOp::kFloorMod, FloorMod, 0.5},
    {BinaryOp::kSigmoidGrad, [](double y, double dy) { return dy * y * (1 - y); }},
    {BinaryOp::kTanhGrad, [](double y, double dy) { return dy * (1 - y * y); }},
    {BinaryOp::kSqrtGrad, [](double y, double dy) { return dy * 0.5 / y; }, 0.5},
    {BinaryOp::kRsqrtGrad, [](double y, double dy) { return -0.5 * dy * y * y * y; }, 0.1, 2},
    {BinaryOp::kReciprocalGrad, [](double y, double dy) { return -dy * y * y; }},
};

// Runs an op on operands that broadcast. Passes the result and each result's operands to `check`.
template <typename T, typename R, typename Check>
void OnDevice(BinaryOp op, const Meeting& meeting, const typename DeviceArray<T>::Host& a,
              const typename DeviceArray<T>::Host& b, Check check, float parameter = 0) {
  const Shape a_shape = ShapeOf(meeting.a), b_shape = ShapeOf(meeting.b);
  const auto plan = kernels::PlanBroadcast({&a_shape, &b_shape});
  ASSERT_TRUE(plan.ok()) << plan.status();
  const size_t n = CountOf(meeting.result);
  DeviceArray<T> in_a(a), in_b(b);
  DeviceArray<R> out(n);
  if (n > 0) {
    ASSERT_EQ(LaunchBinary(op, ElementFor<T>(), in_a.data(), in_b.data(), out.data(),
                           kernels::LayoutOf<2>(*plan), nullptr, parameter),
              cudaSuccess);
  }
  const auto result = out.Read();
  for (size_t i = 0; i < n; ++i) {
    check(result[i], a[OperandIndex(i, meeting.result, meeting.a)],
          b[OperandIndex(i, meeting.result, meeting.b)]);
    if (testing::Test::HasFatalFailure()) return;
  }
}

template <typename T>
class BinaryFloatTest : public testing::Test {};
using Floats = testing::Types<float, double, __half, __nv_bfloat16>;
TYPED_TEST_SUITE(BinaryFloatTest, Floats);

TYPED_TEST(BinaryFloatTest, BroadcastsAtAnyRank) {
  using T = TypeParam;
  for (const Function& function : kFunctions) {
    for (const Meeting& meeting : kMeetings) {
      const auto a = RandomNumbers<T>(CountOf(meeting.a), 1, function.low, function.high);
      const auto b = RandomNumbers<T>(CountOf(meeting.b), 2, function.low, function.high);
      OnDevice<T, T>(function.op, meeting, a, b, [&](T got, T x, T y) {
        ASSERT_TRUE(Near(got, function.of(AsDouble(x), AsDouble(y)), 8 * ToleranceOf<T>()))
            << "op " << static_cast<int>(function.op) << " of " << AsDouble(x) << ", "
            << AsDouble(y);
      });
    }
  }
}

TYPED_TEST(BinaryFloatTest, ManyElementsInSeveralSeeds) {
  using T = TypeParam;
  const Meeting flat{{100'003}, {100'003}, {100'003}}, rows{{311, 317}, {317}, {311, 317}},
      scalar{{}, {99'991}, {99'991}};
  for (int seed : kSeeds) {
    for (const Meeting& meeting : {flat, rows, scalar}) {
      const auto a = RandomNumbers<T>(CountOf(meeting.a), seed);
      const auto b = RandomNumbers<T>(CountOf(meeting.b), seed + 10);
      OnDevice<T, T>(BinaryOp::kSub, meeting, a, b,
                     [](T got, T x, T y) { ASSERT_TRUE(Near(got, AsDouble(x) - AsDouble(y))); });
    }
  }
}

TYPED_TEST(BinaryFloatTest, ComparesAndKeepsNan) {
  using T = TypeParam;
  const auto of = [](double x) { return Narrow<T>(static_cast<Wide<T>>(x)); };
  const Meeting two{{4}, {4}, {4}};
  const typename DeviceArray<T>::Host a{of(1), of(2), of(NAN), of(1)};
  const typename DeviceArray<T>::Host b{of(2), of(2), of(1), of(NAN)};
  const auto answer = [&](BinaryOp op) {
    DeviceArray<bool>::Host all;
    OnDevice<T, bool>(
        op, two, a, b, [&](uint8_t got, T, T) { all.push_back(got); }, 0.5f);
    return all;
  };
  using Bytes = DeviceArray<bool>::Host;
  EXPECT_EQ(answer(BinaryOp::kEqual), (Bytes{0, 1, 0, 0}));
  EXPECT_EQ(answer(BinaryOp::kNotEqual), (Bytes{1, 0, 1, 1}));
  EXPECT_EQ(answer(BinaryOp::kLess), (Bytes{1, 0, 0, 0}));
  EXPECT_EQ(answer(BinaryOp::kLessEqual), (Bytes{1, 1, 0, 0}));
  EXPECT_EQ(answer(BinaryOp::kGreater), (Bytes{0, 0, 0, 0}));
  EXPECT_EQ(answer(BinaryOp::kGreaterEqual), (Bytes{0, 1, 0, 0}));
  EXPECT_EQ(answer(BinaryOp::kApproximateEqual), (Bytes{0, 1, 0, 0}));
  // If a comparison is undefined, the first operand wins.
  std::vector<double> maxima;
  OnDevice<T, T>(BinaryOp::kMaximum, two, a, b,
                 [&](T got, T, T) { maxima.push_back(AsDouble(got)); });
  EXPECT_EQ(maxima[1], 2);
  EXPECT_TRUE(std::isnan(maxima[2]));
  EXPECT_EQ(maxima[3], 1);
}

TYPED_TEST(BinaryFloatTest, QuotientsAreRoundedBeforeTheyAreCut) {
  using T = TypeParam;
  const Meeting many{{2003}, {2003}, {2003}};
  for (int seed : kSeeds) {
    const auto a = RandomNumbers<T>(2003, seed, -40, 40);
    const auto b = RandomNumbers<T>(2003, seed + 10, 0.5, 4);
    const auto quotient = [](T x, T y) { return AsDouble(Narrow<T>(Widen(x) / Widen(y))); };
    OnDevice<T, T>(BinaryOp::kFloorDiv, many, a, b,
                   [&](T got, T x, T y) { ASSERT_TRUE(Near(got, std::floor(quotient(x, y)), 0)); });
    OnDevice<T, T>(BinaryOp::kTruncateDiv, many, a, b,
                   [&](T got, T x, T y) { ASSERT_TRUE(Near(got, std::trunc(quotient(x, y)), 0)); });
  }
}

TYPED_TEST(BinaryFloatTest, ZeroTimesNanIsZeroWhereTheOpSaysSo) {
  using T = TypeParam;
  const auto of = [](double x) { return Narrow<T>(static_cast<Wide<T>>(x)); };
  const Meeting one{{}, {}, {}};
  const auto answer = [&](BinaryOp op, double x, double y) {
    double result = -1;
    OnDevice<T, T>(op, one, {of(x)}, {of(y)}, [&](T got, T, T) { result = AsDouble(got); });
    return result;
  };
  EXPECT_EQ(answer(BinaryOp::kDivNoNan, 3, 0), 0);
  EXPECT_EQ(answer(BinaryOp::kMulNoNan, NAN, 0), 0);
  EXPECT_EQ(answer(BinaryOp::kXdivy, 0, 0), 0);
  EXPECT_EQ(answer(BinaryOp::kXlogy, 0, 0), 0);
  EXPECT_EQ(answer(BinaryOp::kSqrtGrad, 0, 0), 0);  // a zero gradient stays zero
}

template <typename T>
class BinaryIntegerTest : public testing::Test {};
using SomeIntegers = testing::Types<int16_t, int64_t, uint8_t, uint16_t>;
TYPED_TEST_SUITE(BinaryIntegerTest, SomeIntegers);

TYPED_TEST(BinaryIntegerTest, WrapsAndDivides) {
  using T = TypeParam;
  using L = std::numeric_limits<T>;
  const Meeting some{{6}, {6}, {6}};
  const typename DeviceArray<T>::Host a{T(7), L::min(), L::max(), T(9), T(100), L::max()};
  const typename DeviceArray<T>::Host b{T(2), T(-1), L::max(), T(3), T(7), T(1)};
  const auto check = [&](BinaryOp op, auto want) {
    OnDevice<T, T>(op, some, a, b, [&](T got, T x, T y) {
      ASSERT_EQ(got, want(x, y)) << static_cast<int>(op) << " of " << +x << ", " << +y;
    });
  };
  using U = uint64_t;
  check(BinaryOp::kAdd, [](T x, T y) { return static_cast<T>(U(x) + U(y)); });
  check(BinaryOp::kSub, [](T x, T y) { return static_cast<T>(U(x) - U(y)); });
  check(BinaryOp::kMul, [](T x, T y) { return static_cast<T>(U(x) * U(y)); });
  const auto quotient = [](T x, T y) {
    if (std::is_signed_v<T> && y == T(-1)) return static_cast<T>(U(0) - U(x));
    return static_cast<T>(x / y);
  };
  check(BinaryOp::kDiv, quotient);
  check(BinaryOp::kTruncateDiv, quotient);
  check(BinaryOp::kFloorDiv, quotient);  // no remainder with signs that differ
  const auto less = [&](BinaryOp op, auto want) {
    OnDevice<T, bool>(op, some, a, b,
                      [&](uint8_t got, T x, T y) { ASSERT_EQ(got != 0, want(x, y)); });
  };
  less(BinaryOp::kLess, [](T x, T y) { return x < y; });
  less(BinaryOp::kEqual, [](T x, T y) { return x == y; });
}

TYPED_TEST(BinaryIntegerTest, DivisionByZeroDoesNotTrap) {
  using T = TypeParam;
  const Meeting one{{2}, {}, {2}};
  for (BinaryOp op : {BinaryOp::kDiv, BinaryOp::kTruncateDiv, BinaryOp::kFloorDiv}) {
    OnDevice<T, T>(op, one, {T(5), T(0)}, {T(0)}, [](T got, T, T) { EXPECT_EQ(got, T(-1)); });
  }
}

TEST(BinaryInt64Test, RemaindersAndPowers) {
  const Meeting some{{5}, {5}, {5}};
  const std::vector<int64_t> a{7, -7, 7, -7, 2}, b{3, 3, -3, -3, 10};
  const auto answer = [&](BinaryOp op) {
    std::vector<int64_t> all;
    OnDevice<int64_t, int64_t>(op, some, a, b,
                               [&](int64_t got, int64_t, int64_t) { all.push_back(got); });
    return all;
  };
  using Numbers = std::vector<int64_t>;
  EXPECT_EQ(answer(BinaryOp::kFloorMod), (Numbers{1, 2, -2, -1, 2}));
  EXPECT_EQ(answer(BinaryOp::kTruncateMod), (Numbers{1, -1, 1, -1, 2}));
  EXPECT_EQ(answer(BinaryOp::kFloorDiv), (Numbers{2, -3, -3, 2, 0}));
  EXPECT_EQ(answer(BinaryOp::kPow), (Numbers{343, -343, 0, 0, 1024}));
  EXPECT_EQ(answer(BinaryOp::kMaximum), (Numbers{7, 3, 7, -3, 10}));
}

template <typename T>
class BinaryBitsTest : public testing::Test {};
using AllIntegers =
    testing::Types<int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t>;
TYPED_TEST_SUITE(BinaryBitsTest, AllIntegers);

TYPED_TEST(BinaryBitsTest, CombinesAndShifts) {
  using T = TypeParam;
  const Meeting meeting{{129}, {129}, {129}};
  const auto a = RandomNumbers<T>(129, 1, -120, 120), b = RandomNumbers<T>(129, 2, 0, 7);
  const auto check = [&](BinaryOp op, auto want) {
    OnDevice<T, T>(op, meeting, a, b,
                   [&](T got, T x, T y) { ASSERT_EQ(got, static_cast<T>(want(x, y))); });
  };
  check(BinaryOp::kBitwiseAnd, [](T x, T y) { return x & y; });
  check(BinaryOp::kBitwiseOr, [](T x, T y) { return x | y; });
  check(BinaryOp::kBitwiseXor, [](T x, T y) { return x ^ y; });
  check(BinaryOp::kLeftShift, [](T x, T y) { return uint64_t(x) << y; });
  check(BinaryOp::kRightShift, [](T x, T y) { return x >> y; });
}

TEST(BinaryBoolTest, Logic) {
  const Meeting some{{4}, {4}, {4}};
  const DeviceArray<bool>::Host a{0, 0, 1, 1}, b{0, 1, 0, 1};
  const auto answer = [&](BinaryOp op) {
    DeviceArray<bool>::Host all;
    OnDevice<bool, bool>(op, some, a, b,
                         [&](uint8_t got, uint8_t, uint8_t) { all.push_back(got); });
    return all;
  };
  using Bytes = DeviceArray<bool>::Host;
  EXPECT_EQ(answer(BinaryOp::kLogicalAnd), (Bytes{0, 0, 0, 1}));
  EXPECT_EQ(answer(BinaryOp::kLogicalOr), (Bytes{0, 1, 1, 1}));
  EXPECT_EQ(answer(BinaryOp::kEqual), (Bytes{1, 0, 0, 1}));
  EXPECT_EQ(answer(BinaryOp::kNotEqual), (Bytes{0, 1, 1, 0}));
}

template <typename R>
void CheckComplex() {
  using C = Complex<R>;
  using Z = std::complex<double>;
  const Meeting meeting{{13, 7}, {7}, {13, 7}};
  const auto a = RandomNumbers<C>(91, 1), b = RandomNumbers<C>(7, 2, 0.5, 3);
  const auto wide = [](C x) { return Z(static_cast<double>(x.re), static_cast<double>(x.im)); };
  const auto check = [&](BinaryOp op, auto want) {
    OnDevice<C, C>(op, meeting, a, b, [&](C got, C x, C y) {
      ASSERT_LE(std::abs(wide(got) - want(wide(x), wide(y))), 50 * ToleranceOf<R>())
          << static_cast<int>(op);
    });
  };
  check(BinaryOp::kAdd, [](Z x, Z y) { return x + y; });
  check(BinaryOp::kSub, [](Z x, Z y) { return x - y; });
  check(BinaryOp::kMul, [](Z x, Z y) { return x * y; });
  check(BinaryOp::kDiv, [](Z x, Z y) { return x / y; });
  check(BinaryOp::kDivNoNan, [](Z x, Z y) { return x / y; });
  check(BinaryOp::kXlogy, [](Z x, Z y) { return x * std::log(y); });
  const auto parts = RandomNumbers<R>(91, 3);
  OnDevice<R, C>(BinaryOp::kComplex, {{91}, {91}, {91}}, parts, parts,
                 [](C got, R re, R im) { ASSERT_EQ(got, C(re, im)); });
}

TEST(BinaryComplexTest, Arithmetic) {
  CheckComplex<float>();
  CheckComplex<double>();
}

TEST(BinaryTest, InPlaceAndOfOneShape) {
  const auto a = RandomNumbers<float>(5003, 1), b = RandomNumbers<float>(5003, 2);
  DeviceArray<float> target(a), value(b);
  ASSERT_EQ(LaunchBinary(BinaryOp::kAdd, Element::kFloat, target.data(), value.data(),
                         target.data(), 5003, nullptr),
            cudaSuccess);
  const auto sum = target.Read();
  for (size_t i = 0; i < sum.size(); ++i) ASSERT_EQ(sum[i], a[i] + b[i]);
  ASSERT_EQ(LaunchBinary(BinaryOp::kAdd, Element::kFloat, nullptr, nullptr, nullptr, 0, nullptr),
            cudaSuccess);
}

TEST(LayoutTest, FindsOperandsOfLargeArrays) {
  Layout<1> layout;
  layout.AddDim(1'000'003, {1});
  layout.AddDim(1, {9});  // left out
  layout.AddDim(70'001, {2'000'006});
  ASSERT_EQ(layout.rank, 2);
  for (int64_t index : {int64_t{0}, int64_t{1'000'002}, int64_t{1'000'003}, int64_t{5'000'000'000},
                        layout.elements - 1}) {
    EXPECT_EQ(layout.OffsetsOf(index).at[0], index % 1'000'003 + index / 1'000'003 * 2'000'006);
  }
  for (int64_t divisor : {1, 2, 3, 7, 10, 641, 65'535, 65'536, 2'147'483'647}) {
    for (int64_t n : {0, 1, 6, 7, 64'099, 65'536, 2'147'483'646, 2'147'483'647})
      EXPECT_EQ(Divisor(divisor).DivideSmall(static_cast<uint32_t>(n)), n / divisor);
  }
}

}  // namespace
}  // namespace sluice::cuda
