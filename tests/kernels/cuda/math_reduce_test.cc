// SPDX-License-Identifier: Apache-2.0
// Reductions over axes, ArgMax and ArgMin.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>

#include "kernels/cuda/common/reduce.h"
#include "kernels/cuda/math/arg_reduction.h"
#include "tests/kernels/cuda/device_array.h"

namespace sluice::cuda {
namespace {

struct Case {
  std::vector<int64_t> sizes;
  std::vector<bool> reduced;
};
const Case kCases[] = {
    {{}, {}},
    {{1}, {true}},
    {{7}, {true}},
    {{1031}, {true}},
    {{5, 0}, {false, true}},
    {{0, 5}, {false, true}},
    {{33, 3}, {false, true}},
    {{33, 3}, {true, false}},
    {{5, 1000}, {false, true}},
    {{1000, 5}, {true, false}},
    {{300, 70}, {true, false}},
    {{4, 5, 6}, {false, true, false}},
    {{4, 5, 6}, {true, false, true}},
    {{2, 3, 4, 5}, {true, false, true, false}},
    {{2, 3, 4, 5, 2, 3}, {false, true, false, true, false, true}},
    {{3, 1, 4, 1, 2, 3}, {true, false, true, true, false, true}},
    {{100'003}, {true}},
    {{3, 12'001}, {false, true}},
    {{12'001, 3}, {true, false}},
    {{17, 257, 9}, {true, false, true}},
};

ReduceShape ShapeOf(const Case& c) {
  std::vector<uint8_t> marks(c.reduced.begin(), c.reduced.end());
  marks.push_back(0);
  return ReduceShape::Of(static_cast<int>(c.sizes.size()), c.sizes.data(),
                         reinterpret_cast<const bool*>(marks.data()));
}

// The number of the result that element `index` belongs to.
size_t ResultOf(const Case& c, size_t index) {
  size_t result = 0, stride = 1;
  for (size_t d = c.sizes.size(); d-- > 0;) {
    const auto size = static_cast<size_t>(c.sizes[d]);
    if (!c.reduced[d]) {
      result += index % size * stride;
      stride *= size;
    }
    index /= size;
  }
  return result;
}

size_t Count(const Case& c, bool all) {
  size_t n = 1;
  for (size_t d = 0; d < c.sizes.size(); ++d) {
    if (all || !c.reduced[d]) n *= static_cast<size_t>(c.sizes[d]);
  }
  return n;
}

using Z = std::complex<double>;

template <typename T>
Z AsComplex(T x) {
  if constexpr (kIsComplex<T>) {
    return {static_cast<double>(x.re), static_cast<double>(x.im)};
  } else {
    return AsDouble(x);
  }
}

struct Rule {
  ReduceOp op;
  Z start;
  Z (*take)(Z so_far, Z x);
  Z (*finish)(Z total, double count);
};
const Rule kSums[] = {
    {ReduceOp::kSum, 0, [](Z a, Z x) { return a + x; }, [](Z a, double) { return a; }},
    {ReduceOp::kMean, 0, [](Z a, Z x) { return a + x; }, [](Z a, double n) { return a / n; }},
    {ReduceOp::kEuclideanNorm, 0, [](Z a, Z x) { return a + std::norm(x); },
     [](Z a, double) { return std::sqrt(a); }},
    {ReduceOp::kL2Loss, 0, [](Z a, Z x) { return a + std::norm(x); },
     [](Z a, double) { return a / 2.0; }},
};
const Rule kOrders[] = {
    {ReduceOp::kMax, -INFINITY, [](Z a, Z x) { return Z(std::max(a.real(), x.real())); },
     [](Z a, double) { return a; }},
    {ReduceOp::kMin, INFINITY, [](Z a, Z x) { return Z(std::min(a.real(), x.real())); },
     [](Z a, double) { return a; }},
};
const Rule kProd{ReduceOp::kProd, 1, [](Z a, Z x) { return a * x; }, [](Z a, double) { return a; }};

template <typename T>
typename DeviceArray<T>::Host Reduced(ReduceOp op, const Case& c,
                                      const typename DeviceArray<T>::Host& x) {
  const ReduceShape shape = ShapeOf(c);
  DeviceArray<T> in(x), out(Count(c, false));
  DeviceArray<Complex<double>> workspace(shape.workspace_bytes() / sizeof(Complex<double>));
  EXPECT_EQ(
      LaunchReduce(op, ElementFor<T>(), shape, in.data(), out.data(), workspace.data(), nullptr),
      cudaSuccess);
  return out.Read();
}

// `exact`: the result is one of the elements.
template <typename T>
void CheckRule(const Rule& rule, double low, double high, bool exact = false) {
  for (const Case& c : kCases) {
    if (Count(c, true) == 0) continue;  // OfNothingIsTheNeutralElement
    for (int seed : kSeeds) {
      if (seed > 1 && Count(c, true) > 10'000) break;  // these are slow on the double
      const auto x = RandomNumbers<T>(Count(c, true), seed, low, high);
      std::vector<Z> want(Count(c, false), rule.start);
      std::vector<double> size(want.size(), 0);
      for (size_t i = 0; i < x.size(); ++i) {
        Z& total = want[ResultOf(c, i)];
        total = rule.take(total, AsComplex(x[i]));
        size[ResultOf(c, i)] += std::abs(AsComplex(x[i]));
      }
      const auto got = Reduced<T>(rule.op, c, x);
      const double count = static_cast<double>(x.size()) / static_cast<double>(want.size());
      for (size_t r = 0; r < want.size(); ++r) {
        const Z expected = rule.finish(want[r], count);
        double relative = 1e-12;
        if constexpr (kIsNarrow<T>) relative = ToleranceOf<T>();
        if constexpr (std::is_same_v<T, float> || std::is_same_v<T, Complex<float>>)
          relative = 3e-6;
        const double bound =
            exact ? 0 : relative * std::max(1.0, std::abs(expected) + 1e-3 * size[r]);
        ASSERT_LE(std::abs(AsComplex(got[r]) - expected), bound)
            << "op " << static_cast<int>(rule.op) << " result " << r << " of " << want.size();
      }
    }
  }
}

template <typename T>
class ReduceTest : public testing::Test {};
using Floats = testing::Types<float, double, __half, __nv_bfloat16>;
TYPED_TEST_SUITE(ReduceTest, Floats);

TYPED_TEST(ReduceTest, AddsOverAnyAxes) {
  for (const Rule& rule : kSums) CheckRule<TypeParam>(rule, -0.5, 0.6);
}
TYPED_TEST(ReduceTest, ExtremesOverAnyAxes) {
  for (const Rule& rule : kOrders) CheckRule<TypeParam>(rule, -40, 40, true);
}
TYPED_TEST(ReduceTest, MultipliesOverAnyAxes) {
  // Near 1, so that products of many stay in range.
  for (const Case& c :
       {Case{{7}, {true}}, Case{{4, 5, 6}, {false, true, false}}, Case{{9, 40}, {false, true}}}) {
    using T = TypeParam;
    const auto x = RandomNumbers<T>(Count(c, true), 1, 0.9, 1.1);
    std::vector<double> want(Count(c, false), 1);
    for (size_t i = 0; i < x.size(); ++i) want[ResultOf(c, i)] *= AsDouble(x[i]);
    const auto got = Reduced<T>(ReduceOp::kProd, c, x);
    for (size_t r = 0; r < want.size(); ++r)
      EXPECT_TRUE(Near(got[r], want[r], 10 * ToleranceOf<T>()));
  }
}

TYPED_TEST(ReduceTest, OfNothingIsTheNeutralElement) {
  using T = TypeParam;
  const Case none{{3, 0}, {false, true}};
  const auto of = [&](ReduceOp op) { return AsDouble(Reduced<T>(op, none, {})[2]); };
  EXPECT_EQ(of(ReduceOp::kSum), 0);
  EXPECT_TRUE(std::isnan(of(ReduceOp::kMean)));
  EXPECT_EQ(of(ReduceOp::kProd), 1);
  EXPECT_EQ(of(ReduceOp::kMax), -INFINITY);
  EXPECT_EQ(of(ReduceOp::kMin), INFINITY);
  EXPECT_EQ(of(ReduceOp::kEuclideanNorm), 0);
}

TYPED_TEST(ReduceTest, ExtremesPassOverNan) {
  using T = TypeParam;
  const auto of = [](double x) { return Narrow<T>(static_cast<Wide<T>>(x)); };
  const Case four{{4}, {true}};
  EXPECT_EQ(AsDouble(Reduced<T>(ReduceOp::kMax, four, {of(1), of(NAN), of(3), of(2)})[0]), 3);
  EXPECT_EQ(AsDouble(Reduced<T>(ReduceOp::kMin, four, {of(NAN), of(4), of(3), of(NAN)})[0]), 3);
}

TYPED_TEST(ReduceTest, SumsAreTheSameInEveryRun) {
  using T = TypeParam;
  const Case large{{30'011}, {true}};
  const auto x = RandomNumbers<T>(30'011, 5);
  const double first = AsDouble(Reduced<T>(ReduceOp::kSum, large, x)[0]);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(AsDouble(Reduced<T>(ReduceOp::kSum, large, x)[0]), first);
}

TEST(ReduceComplexTest, AddsAndMultiplies) {
  CheckRule<Complex<float>>(kSums[0], -0.5, 0.6);
  CheckRule<Complex<double>>(kSums[0], -0.5, 0.6);
  CheckRule<Complex<float>>(kSums[1], -0.5, 0.6);
  CheckRule<Complex<double>>(kSums[2], -0.5, 0.6);
  const Case some{{3, 4}, {false, true}};
  const auto x = RandomNumbers<Complex<double>>(12, 1);
  const auto got = Reduced<Complex<double>>(ReduceOp::kProd, some, x);
  for (size_t r = 0; r < 3; ++r) {
    Z want = 1;
    for (size_t i = 0; i < 4; ++i) want *= AsComplex(x[4 * r + i]);
    EXPECT_LE(std::abs(AsComplex(got[r]) - want), 1e-10);
  }
}

TEST(ReduceIntegerTest, Exact) {
  CheckRule<int64_t>(kSums[0], -1e6, 1e6, true);
  for (const Rule& rule : kOrders) {
    CheckRule<int64_t>({rule.op, rule.start.real() < 0 ? Z(-1e9) : Z(1e9), rule.take, rule.finish},
                       -1e6, 1e6, true);
  }
  const Case none{{1, 0}, {false, true}}, three{{3}, {true}};
  EXPECT_EQ(Reduced<int64_t>(ReduceOp::kMax, none, {})[0], INT64_MIN);
  EXPECT_EQ(Reduced<int64_t>(ReduceOp::kMin, none, {})[0], INT64_MAX);
  EXPECT_EQ(Reduced<int32_t>(ReduceOp::kProd, three, {3, -5, 7})[0], -105);
  EXPECT_EQ(Reduced<int32_t>(kProd.op, three, {1 << 20, 1 << 20, 3})[0], 0);  // wraps
}

TEST(ReduceBoolTest, AllAndAny) {
  for (const Case& c : kCases) {
    for (int seed : kSeeds) {
      if (seed > 1 && Count(c, true) > 10'000) break;
      auto x = RandomNumbers<bool>(Count(c, true), seed);
      for (size_t i = 0; i < x.size(); ++i) {
        if (ResultOf(c, i) % 3 == 1) x[i] = 1;
        if (ResultOf(c, i) % 3 == 2) x[i] = 0;
      }
      std::vector<uint8_t> all(Count(c, false), 1), any(Count(c, false), 0);
      for (size_t i = 0; i < x.size(); ++i) {
        all[ResultOf(c, i)] &= x[i];
        any[ResultOf(c, i)] |= x[i];
      }
      EXPECT_EQ(Reduced<bool>(ReduceOp::kAll, c, x), all);
      EXPECT_EQ(Reduced<bool>(ReduceOp::kAny, c, x), any);
    }
  }
}

TEST(ReduceTest, LargeReductionsAreSharedAmongBlocks) {
  EXPECT_GT(ShapeOf({{1 << 20}, {true}}).parts, 1);
  EXPECT_GT(ShapeOf({{1 << 16, 8}, {true, false}}).parts, 1);
  EXPECT_EQ(ShapeOf({{1 << 20, 8}, {false, true}}).parts, 1);
  EXPECT_FALSE(Takes(ReduceOp::kMean, Element::kInt64));
  EXPECT_EQ(LaunchReduce(ReduceOp::kMean, Element::kInt64, ReduceShape{}, nullptr, nullptr, nullptr,
                         nullptr),
            cudaErrorInvalidValue);
}

template <typename T, typename Index>
void CheckArg(bool greatest) {
  const int64_t views[][3] = {{1, 1, 1},   {1, 1001, 1}, {37, 10, 1}, {3, 17, 40},
                              {2, 300, 7}, {0, 3, 4},    {300, 2, 1}, {1, 9'001, 1}};
  for (const auto& [outer, size, inner] : views) {
    for (int seed : kSeeds) {
      // Few different numbers: the first of equal ones wins.
      auto x = RandomNumbers<T>(static_cast<size_t>(outer * size * inner), seed, 0, 9);
      for (T& value : x) value = Narrow<T>(static_cast<Wide<T>>(std::floor(AsDouble(value))));
      DeviceArray<T> in(x);
      DeviceArray<Index> out(static_cast<size_t>(outer * inner));
      ASSERT_EQ(LaunchArgReduction(greatest, ElementFor<T>(), ElementFor<Index>(), in.data(), outer,
                                   size, inner, out.data(), nullptr),
                cudaSuccess);
      const auto got = out.Read();
      for (int64_t o = 0; o < outer; ++o) {
        for (int64_t i = 0; i < inner; ++i) {
          const auto at = [&](int64_t s) {
            return AsDouble(x[static_cast<size_t>((o * size + s) * inner + i)]);
          };
          int64_t best = 0;
          for (int64_t s = 1; s < size; ++s) {
            if (greatest ? at(s) > at(best) : at(s) < at(best)) best = s;
          }
          ASSERT_EQ(got[static_cast<size_t>(o * inner + i)], best);
        }
      }
    }
  }
}

TEST(ArgReductionTest, TheFirstOfEqualOnes) {
  for (bool greatest : {true, false}) {
    CheckArg<float, int64_t>(greatest);
    CheckArg<double, int32_t>(greatest);
    CheckArg<__half, int64_t>(greatest);
    CheckArg<__nv_bfloat16, int32_t>(greatest);
  }
}

TEST(ArgReductionTest, PassesOverNan) {
  DeviceArray<float> x(
      {NAN, 1, 2, NAN, /**/ NAN, NAN, NAN, NAN, /**/ -INFINITY, -INFINITY, NAN, -INFINITY});
  DeviceArray<int64_t> out(3);
  ASSERT_EQ(LaunchArgReduction(true, Element::kFloat, Element::kInt64, x.data(), 3, 4, 1,
                               out.data(), nullptr),
            cudaSuccess);
  EXPECT_EQ(out.Read(), (std::vector<int64_t>{2, 0, 0}));
}

}  // namespace
}  // namespace sluice::cuda
