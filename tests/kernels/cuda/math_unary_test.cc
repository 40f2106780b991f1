// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "kernels/cuda/common/unary.h"
#include "tests/kernels/cuda/device_array.h"

namespace sluice::cuda {
namespace {

struct Function {
  UnaryOp op;
  double (*of)(double);
  double low = -4;  // the domain that is tested
  double high = 4;
};

const Function kFunctions[] = {
    {UnaryOp::kAbs, [](double x) { return std::fabs(x); }},
    {UnaryOp::kNeg, [](double x) { return -x; }},
    {UnaryOp::kSign, [](double x) { return double((x > 0) - (x < 0)); }},
    {UnaryOp::kSquare, [](double x) { return x * x; }},
    {UnaryOp::kSqrt, [](double x) { return std::sqrt(x); }, 0, 9},
    {UnaryOp::kRsqrt, [](double x) { return 1 / std::sqrt(x); }, 0.1, 9},
    {UnaryOp::kReciprocal, [](double x) { return 1 / x; }, 0.1, 9},
    {UnaryOp::kCeil, [](double x) { return std::ceil(x); }},
    {UnaryOp::kFloor, [](double x) { return std::floor(x); }},
    {UnaryOp::kRint, [](double x) { return std::nearbyint(x); }},
    {UnaryOp::kRound, [](double x) { return std::nearbyint(x); }},
    {UnaryOp::kExp, [](double x) { return std::exp(x); }},
    {UnaryOp::kExpm1, [](double x) { return std::expm1(x); }},
    {UnaryOp::kLog, [](double x) { return std::log(x); }, 0.01, 20},
    {UnaryOp::kLog1p, [](double x) { return std::log1p(x); }, -0.9, 20},
    {UnaryOp::kSin, [](double x) { return std::sin(x); }},
    {UnaryOp::kCos, [](double x) { return std::cos(x); }},
    {UnaryOp::kTan, [](double x) { return std::tan(x); }, -1.2, 1.2},
    {UnaryOp::kAsin, [](double x) { return std::asin(x); }, -1, 1},
    {UnaryOp::kAcos, [](double x) { return std::acos(x); }, -1, 1},
    {UnaryOp::kAtan, [](double x) { return std::atan(x); }},
    {UnaryOp::kSinh, [](double x) { return std::sinh(x); }},
    {UnaryOp::kCosh, [](double x) { return std::cosh(x); }},
    {UnaryOp::kTanh, [](double x) { return std::tanh(x); }},
    {UnaryOp::kAsinh, [](double x) { return std::asinh(x); }},
    {UnaryOp::kAcosh, [](double x) { return std::acosh(x); }, 1, 9},
    {UnaryOp::kAtanh, [](double x) { return std::atanh(x); }, -0.9, 0.9},
    {UnaryOp::kSigmoid, [](double x) { return 1 / (1 + std::exp(-x)); }},
    {UnaryOp::kErf, [](double x) { return std::erf(x); }},
    {UnaryOp::kErfc, [](double x) { return std::erfc(x); }},
    {UnaryOp::kLgamma, [](double x) { return std::lgamma(x); }, 0.1, 8},
};

template <typename T>
class UnaryFloatTest : public testing::Test {};
using Floats = testing::Types<float, double, __half, __nv_bfloat16>;
TYPED_TEST_SUITE(UnaryFloatTest, Floats);

TYPED_TEST(UnaryFloatTest, FunctionsAreThoseOfCmath) {
  using T = TypeParam;
  for (const Function& function : kFunctions) {
    for (int seed : kSeeds) {
      for (size_t n : {0, 1, 3, 257, 2051}) {
        const auto x = RandomNumbers<T>(n, seed, function.low, function.high);
        DeviceArray<T> in(x), out(n);
        ASSERT_EQ(LaunchUnary(function.op, ElementFor<T>(), in.data(), out.data(),
                              static_cast<int64_t>(n), nullptr),
                  cudaSuccess);
        const auto y = out.Read();
        for (size_t i = 0; i < n; ++i) {
          ASSERT_TRUE(Near(y[i], function.of(AsDouble(x[i])), 4 * ToleranceOf<T>()))
              << "op " << static_cast<int>(function.op) << " of " << AsDouble(x[i]);
        }
      }
    }
  }
}

TYPED_TEST(UnaryFloatTest, ManyElementsInPlace) {
  using T = TypeParam;
  constexpr size_t kMany = 100'003;
  const auto x = RandomNumbers<T>(kMany, 1);
  DeviceArray<T> array(x);
  ASSERT_EQ(
      LaunchUnary(UnaryOp::kSquare, ElementFor<T>(), array.data(), array.data(), kMany, nullptr),
      cudaSuccess);
  const auto y = array.Read();
  for (size_t i = 0; i < kMany; ++i) ASSERT_TRUE(Near(y[i], AsDouble(x[i]) * AsDouble(x[i]))) << i;
}

TYPED_TEST(UnaryFloatTest, TestsOfNumbers) {
  using T = TypeParam;
  const auto of = [](double x) { return Narrow<T>(static_cast<Wide<T>>(x)); };
  DeviceArray<T> in({of(1), of(-INFINITY), of(INFINITY), of(NAN), of(-0.0)});
  DeviceArray<bool> out(5);
  using Bytes = DeviceArray<bool>::Host;
  const auto answer = [&](UnaryOp op) {
    EXPECT_EQ(LaunchUnary(op, ElementFor<T>(), in.data(), out.data(), 5, nullptr), cudaSuccess);
    return out.Read();
  };
  EXPECT_EQ(answer(UnaryOp::kIsNan), (Bytes{0, 0, 0, 1, 0}));
  EXPECT_EQ(answer(UnaryOp::kIsInf), (Bytes{0, 1, 1, 0, 0}));
  EXPECT_EQ(answer(UnaryOp::kIsFinite), (Bytes{1, 0, 0, 0, 1}));
}

TYPED_TEST(UnaryFloatTest, DigammaIsTheSlopeOfLgamma) {
  using T = TypeParam;
  const auto of = [](double x) { return Narrow<T>(static_cast<Wide<T>>(x)); };
  DeviceArray<T> in({of(1), of(0.5), of(10), of(-1.5), of(0), of(-3)});
  DeviceArray<T> out(6);
  ASSERT_EQ(LaunchUnary(UnaryOp::kDigamma, ElementFor<T>(), in.data(), out.data(), 6, nullptr),
            cudaSuccess);
  const auto y = out.Read();
  const double want[] = {
      -0.57721566490153287, -1.9635100260214235, 2.2517525890667214, 0.70315664064524319, NAN, NAN};
  for (size_t i = 0; i < 6; ++i) EXPECT_TRUE(Near(y[i], want[i], 1e-6 + 2 * ToleranceOf<T>())) << i;
}

TEST(UnaryIntegerTest, Wraps) {
  DeviceArray<int64_t> in({INT64_MIN, -3, 0, 5});
  DeviceArray<int64_t> out(4);
  const auto answer = [&](UnaryOp op) {
    EXPECT_EQ(LaunchUnary(op, Element::kInt64, in.data(), out.data(), 4, nullptr), cudaSuccess);
    return out.Read();
  };
  using Numbers = std::vector<int64_t>;
  EXPECT_EQ(answer(UnaryOp::kAbs), (Numbers{INT64_MIN, 3, 0, 5}));
  EXPECT_EQ(answer(UnaryOp::kNeg), (Numbers{INT64_MIN, 3, 0, -5}));
  EXPECT_EQ(answer(UnaryOp::kSign), (Numbers{-1, -1, 0, 1}));
  EXPECT_EQ(answer(UnaryOp::kSquare), (Numbers{0, 9, 0, 25}));
  EXPECT_EQ(answer(UnaryOp::kRound), (Numbers{INT64_MIN, -3, 0, 5}));
  EXPECT_EQ(answer(UnaryOp::kInvert), (Numbers{INT64_MAX, 2, -1, -6}));
  EXPECT_EQ(answer(UnaryOp::kReciprocal), (Numbers{0, 0, -1, 0}));
}

TEST(UnaryIntegerTest, InvertsEveryWidth) {
  const auto check = []<typename T>(T x) {
    DeviceArray<T> in(typename DeviceArray<T>::Host{x}), out(1);
    ASSERT_EQ(LaunchUnary(UnaryOp::kInvert, ElementFor<T>(), in.data(), out.data(), 1, nullptr),
              cudaSuccess);
    EXPECT_EQ(out.Read()[0], static_cast<T>(~x));
  };
  check(int8_t{-7});
  check(int16_t{300});
  check(int32_t{70000});
  check(int64_t{1} << 40);
  check(uint8_t{200});
  check(uint16_t{60000});
  check(uint32_t{4000000000u});
  check(uint64_t{1} << 63);
}

template <typename R>
void CheckComplex() {
  using C = Complex<R>;
  const auto x = RandomNumbers<C>(1031, 1);
  DeviceArray<C> in(x), out(x.size());
  DeviceArray<R> real(x.size());
  const Element element = ElementFor<C>();
  const auto n = static_cast<int64_t>(x.size());
  const auto each = [&](auto& array, UnaryOp op, auto check) {
    ASSERT_EQ(LaunchUnary(op, element, in.data(), array.data(), n, nullptr), cudaSuccess);
    const auto y = array.Read();
    for (size_t i = 0; i < x.size(); ++i)
      check(y[i], std::complex<double>(static_cast<double>(x[i].re), static_cast<double>(x[i].im)));
  };
  const auto is = [](double want) { return [want](R got) { EXPECT_TRUE(Near(got, want)); }; };
  each(real, UnaryOp::kReal, [&](R y, auto z) { is(z.real())(y); });
  each(real, UnaryOp::kImag, [&](R y, auto z) { is(z.imag())(y); });
  each(real, UnaryOp::kAngle, [&](R y, auto z) { is(std::arg(z))(y); });
  each(real, UnaryOp::kComplexAbs, [&](R y, auto z) { is(std::abs(z))(y); });
  const auto same = [&](C y, std::complex<double> want) {
    const double bound = 8 * ToleranceOf<R>() * std::max(1.0, std::abs(want));
    EXPECT_NEAR(static_cast<double>(y.re), want.real(), bound);
    EXPECT_NEAR(static_cast<double>(y.im), want.imag(), bound);
  };
  each(out, UnaryOp::kConj, [&](C y, auto z) { same(y, std::conj(z)); });
  each(out, UnaryOp::kNeg, [&](C y, auto z) { same(y, -z); });
  each(out, UnaryOp::kSign, [&](C y, auto z) { same(y, z / std::abs(z)); });
  each(out, UnaryOp::kExp, [&](C y, auto z) { same(y, std::exp(z)); });
}

TEST(UnaryComplexTest, PartsAndFunctions) {
  CheckComplex<float>();
  CheckComplex<double>();
}

TEST(UnaryTest, SaysWhichElementsItTakes) {
  EXPECT_TRUE(ResultsOf(UnaryOp::kExp).Has(Element::kHalf));
  EXPECT_FALSE(ResultsOf(UnaryOp::kExp).Has(Element::kInt64));
  EXPECT_EQ(ResultsOf(UnaryOp::kIsNan).Of(Element::kFloat), Element::kBool);
  EXPECT_EQ(ResultsOf(UnaryOp::kReal).Of(Element::kComplex128), Element::kDouble);
  EXPECT_EQ(ResultsOf(UnaryOp::kSquare).Of(Element::kBFloat16), Element::kBFloat16);
  EXPECT_EQ(LaunchUnary(UnaryOp::kExp, Element::kInt64, nullptr, nullptr, 4, nullptr),
            cudaErrorInvalidValue);
}

}  // namespace
}  // namespace sluice::cuda
