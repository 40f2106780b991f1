// SPDX-License-Identifier: Apache-2.0
// Tests that a comparison with TensorFlow (tests/interop/cases/ops_cases.py) cannot do: reuse of
// memory, large tensors in several threads, the values of NaN and of limits, and every broadcast
// against a plain loop.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "tests/kernels/kernel_runner.h"

namespace sluice::kernels {
namespace {

using ::testing::HasSubstr;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

template <typename T>
Tensor Of(const Shape& shape, std::vector<T> values) {
  Tensor t(kDTypeOf<T>, shape);
  std::copy(values.begin(), values.end(), t.mutable_data<T>());
  return t;
}
template <typename T>
Tensor Vec(std::vector<T> values) {
  const int64_t n = static_cast<int64_t>(values.size());
  return Of<T>(Shape{n}, std::move(values));
}

Tensor Random(const Shape& shape, uint32_t seed) {
  std::minstd_rand random(seed);
  Tensor t(kFloat, shape);
  for (float& x : t.mutable_flat<float>()) x = static_cast<float>(random() % 2001) / 250.0f - 4.0f;
  return t;
}

struct Row {
  const char* op;
  std::vector<float> x, expected;
};

TEST(UnaryTest, TreatsSpecialValuesAsTensorFlow115) {
  const std::vector<Row> rows = {
      {"Sign", {kNan, -0.5f, 0, 3}, {0, -1, 0, 1}},
      {"Relu", {kNan, -1, kInf}, {kNan, 0, kInf}},
      {"Relu6", {kNan, -1, 7, kInf}, {kNan, 0, 6, 6}},
      {"Elu", {kNan, -kInf}, {kNan, -1}},
      {"Round", {0.5f, 1.5f, 2.5f, -0.5f, -1.5f}, {0, 2, 2, -0.0f, -2}},
      {"Rint", {0.5f, 1.5f, 2.5f}, {0, 2, 2}},
      {"Sigmoid", {-kInf, 0, kInf, -200}, {0, 0.5f, 1, 0}},
      {"Softplus", {-kInf, kInf, 0, 100}, {0, kInf, 0.6931472f, 100}},
      {"Log", {0, 1, -1}, {-kInf, 0, kNan}},
      {"Sqrt", {kInf, 4, -1}, {kInf, 2, kNan}},
      {"Tanh", {-kInf, kInf, 0}, {-1, 1, 0}},
      {"Erf", {-kInf, kInf}, {-1, 1}},
  };
  for (const Row& row : rows) {
    auto out = RunOp(row.op, {}, {Vec(row.x)});
    ASSERT_TRUE(out.ok()) << row.op << out.status();
    EXPECT_EQ(SameTensor((*out)[0], Vec(row.expected), 1e-6), absl::OkStatus()) << row.op;
  }
}

template <typename T>
void ExpectFloatsRoundedOnce() {
  for (int64_t n = 1; n <= 40; ++n) {
    const Tensor a = Random(Shape{n}, 3), b = Random(Shape{n}, 4);
    Tensor x(kDTypeOf<T>, Shape{n}), y = Tensor(kDTypeOf<T>, Shape{n});
    std::copy_n(a.data<float>(), n, x.mutable_data<T>());
    std::copy_n(b.data<float>(), n, y.mutable_data<T>());
    const auto both = RunOp("Mul", {}, {x, y});
    const auto first = RunOp("Mul", {}, {Tensor::Scalar(x.data<T>()[0]), y});
    const auto second = RunOp("Mul", {}, {x, Tensor::Scalar(y.data<T>()[0])});
    const auto less = RunOp("Less", {}, {x, y});
    const auto square = RunOp("Square", {}, {x});
    ASSERT_TRUE(both.ok() && first.ok() && second.ok() && less.ok() && square.ok());
    const auto bits = [](const auto& out, int64_t i) {
      return (*out)[0].template data<T>()[i].bits;
    };
    for (int64_t i = 0; i < n; ++i) {
      const float p = x.data<T>()[i], q = y.data<T>()[i];
      EXPECT_EQ(bits(both, i), T(p * q).bits);
      EXPECT_EQ(bits(first, i), T(static_cast<float>(x.data<T>()[0]) * q).bits);
      EXPECT_EQ(bits(second, i), T(p * static_cast<float>(y.data<T>()[0])).bits);
      EXPECT_EQ((*less)[0].data<bool>()[i], p < q);
      EXPECT_EQ(bits(square, i), T(p * p).bits);
    }
  }
}

TEST(NarrowTest, ResultsAreThoseOfFloatRoundedOnceWhateverTheLength) {
  ExpectFloatsRoundedOnce<Half>();
  ExpectFloatsRoundedOnce<Bfloat16>();
}

TEST(UnaryTest, LogarithmsAreRoundedOnce) {
  std::vector<float> x;
  for (int i = 1; i <= 1000; ++i) x.push_back(static_cast<float>(i) / 64);
  auto out = RunOp("Log", {}, {Vec(x)});
  ASSERT_TRUE(out.ok()) << out.status();
  const float* log = (*out)[0].data<float>();
  for (size_t i = 0; i < x.size(); ++i)
    EXPECT_EQ(log[i], static_cast<float>(std::log(static_cast<double>(x[i])))) << x[i];
}

TEST(UnaryTest, GivesAnElementTheSameBitsWhereverItLies) {
  const Tensor x = Random(Shape{1000}, 7);
  for (const char* op : {"Exp", "Tanh", "Sigmoid", "Log1p", "Sin", "Erf"}) {
    auto whole = RunOp(op, {}, {x});
    ASSERT_TRUE(whole.ok()) << whole.status();
    for (int64_t i : {0, 1, 15, 16, 17, 991, 999}) {
      auto one = RunOp(op, {}, {Tensor::Scalar(x.data<float>()[i])});
      ASSERT_TRUE(one.ok());
      EXPECT_EQ(std::bit_cast<uint32_t>((*one)[0].scalar<float>()),
                std::bit_cast<uint32_t>((*whole)[0].data<float>()[i]))
          << op << i;
    }
  }
}

TEST(UnaryTest, IntegersWrap) {
  constexpr int32_t kMin = std::numeric_limits<int32_t>::min();
  for (const char* op : {"Neg", "Abs"}) {
    auto out = RunOp(op, {}, {Vec<int32_t>({kMin, -1, 1})});
    ASSERT_TRUE(out.ok()) << out.status();
    EXPECT_EQ((*out)[0].data<int32_t>()[0], kMin) << op;
  }
}

TEST(UnaryTest, WritesInPlaceOnlyWithoutOtherReferences) {
  KernelRunner runner;
  Tensor x = Random(Shape{64}, 1);
  const void* memory = x.raw();
  auto shared = runner.Run("Neg", {}, {x});
  ASSERT_TRUE(shared.ok());
  EXPECT_NE((*shared)[0].raw(), memory);
  auto taken = runner.Run("Neg", {}, {std::move(x)});
  ASSERT_TRUE(taken.ok());
  EXPECT_EQ(SameTensor((*taken)[0], (*shared)[0]), absl::OkStatus());
}

TEST(BinaryTest, MaximumKeepsItsFirstOperandWhereNothingIsGreater) {
  auto out = RunOp("Maximum", {}, {Vec<float>({kNan, 1, 2}), Vec<float>({1, kNan, 3})});
  ASSERT_TRUE(out.ok());
  EXPECT_EQ(SameTensor((*out)[0], Vec<float>({kNan, 1, 3})), absl::OkStatus());
}

TEST(BinaryTest, TheOneQuotientThatDoesNotFitWraps) {
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  const std::vector<std::pair<const char*, int64_t>> rows = {
      {"FloorDiv", kMin}, {"TruncateDiv", kMin}, {"Div", kMin},
      {"FloorMod", 0},    {"TruncateMod", 0},    {"Mod", 0}};
  for (const auto& [op, expected] : rows) {
    auto out = RunOp(op, {}, {Vec<int64_t>({kMin}), Vec<int64_t>({-1})});
    ASSERT_TRUE(out.ok()) << op << out.status();
    EXPECT_EQ((*out)[0].data<int64_t>()[0], expected) << op;
  }
}

TEST(BinaryTest, IntegerErrorsAreStatuses) {
  struct Bad {
    const char* op;
    int32_t a, b;
    absl::StatusCode code;
  };
  for (const Bad& bad : {Bad{"FloorDiv", 1, 0, absl::StatusCode::kInvalidArgument},
                         Bad{"FloorMod", 1, 0, absl::StatusCode::kInvalidArgument},
                         Bad{"Div", 1, 0, absl::StatusCode::kInvalidArgument},
                         Bad{"TruncateDiv", 1, 0, absl::StatusCode::kInternal},
                         Bad{"Pow", 2, -1, absl::StatusCode::kInvalidArgument}}) {
    auto out = RunOp(bad.op, {}, {Tensor::Scalar(bad.a), Tensor::Scalar(bad.b)});
    EXPECT_EQ(out.status().code(), bad.code) << bad.op << out.status();
  }
}

// A broadcast computed by its definition, element by element.
Tensor AddSlowly(const Tensor& a, const Tensor& b, const Shape& shape) {
  Tensor out(kFloat, shape);
  const auto index = [&](const Tensor& t, int64_t flat) {
    int64_t at = 0, stride = 1;
    for (int d = shape.rank() - 1; d >= 0; --d) {
      const int own = d - (shape.rank() - t.rank());
      if (own >= 0) {
        at += (t.dim(own) == 1 ? 0 : flat % shape.dim(d)) * stride;
        stride *= t.dim(own);
      }
      flat /= shape.dim(d);
    }
    return at;
  };
  for (int64_t i = 0; i < shape.num_elements(); ++i) {
    out.mutable_data<float>()[i] = a.data<float>()[index(a, i)] + b.data<float>()[index(b, i)];
  }
  return out;
}

TEST(BinaryTest, BroadcastsAtAnyRankAndSize) {
  std::minstd_rand random(3);
  for (int round = 0; round < 200; ++round) {
    const int rank = static_cast<int>(random() % 9);
    Shape a, b, shape;
    for (int d = 0; d < rank; ++d) {
      const int64_t size = 1 + random() % (rank > 4 ? 4 : 40);
      const int kind = static_cast<int>(random() % 3);
      shape.AddDim(size);
      a.AddDim(kind == 1 ? 1 : size);
      b.AddDim(kind == 2 ? 1 : size);
    }
    while (b.rank() > 0 && b.dim(0) == 1) b.RemoveDim(0);
    const Tensor x = Random(a, 2 * round), y = Random(b, 2 * round + 1);
    auto out = RunOp("AddV2", {}, {x, y});
    ASSERT_TRUE(out.ok()) << a.ToString() << b.ToString() << out.status();
    EXPECT_EQ(SameTensor((*out)[0], AddSlowly(x, y, shape)), absl::OkStatus())
        << a.ToString() << b.ToString();
  }
}

TEST(BinaryTest, SharesLargeBroadcastsAmongThreads) {
  const Tensor a = Random(Shape{700, 1, 300}, 1), b = Random(Shape{5, 1}, 2);
  auto out = RunOp("AddV2", {}, {a, b});
  ASSERT_TRUE(out.ok());
  EXPECT_EQ(SameTensor((*out)[0], AddSlowly(a, b, Shape{700, 5, 300})), absl::OkStatus());
}

TEST(BinaryTest, UnequalShapesMayBeAnAnswer) {
  for (const auto& [op, expected] : {std::pair{"Equal", false}, std::pair{"NotEqual", true}}) {
    auto out = RunOp(op, {{"incompatible_shape_error", false}},
                     {Vec<float>({1, 2}), Vec<float>({1, 2, 3})});
    ASSERT_TRUE(out.ok()) << out.status();
    EXPECT_EQ((*out)[0].rank(), 0);
    EXPECT_EQ((*out)[0].scalar<bool>(), expected);
    EXPECT_THAT(RunOp(op, {}, {Vec<float>({1, 2}), Vec<float>({1, 2, 3})}).status().message(),
                HasSubstr("Incompatible shapes: [2] vs. [3]"));
  }
}

TEST(CastTest, OutOfRangeIsDefined) {
  const Tensor x = Vec<float>({kNan, kInf, -kInf, 3e9f, -1, 300.5f});
  const struct {
    DType to;
    std::vector<int64_t> expected;
  } rows[] = {
      {kInt32, {INT32_MIN, INT32_MIN, INT32_MIN, INT32_MIN, -1, 300}},
      {kInt64, {INT64_MIN, INT64_MIN, INT64_MIN, 3000000000, -1, 300}},
      {kUint8, {0, 0, 0, 0, 255, 44}},
      {kInt8, {0, 0, 0, 0, -1, 44}},
  };
  for (const auto& row : rows) {
    auto out = RunOp("Cast", {{"DstT", row.to}}, {x});
    ASSERT_TRUE(out.ok()) << out.status();
    auto wide = RunOp("Cast", {{"DstT", kInt64}}, {(*out)[0]});
    ASSERT_TRUE(wide.ok()) << wide.status();
    EXPECT_EQ(SameTensor((*wide)[0], Vec<int64_t>(row.expected)), absl::OkStatus()) << Name(row.to);
  }
}

TEST(ScanTest, RunsBothWaysAlongAnyAxis) {
  auto out = RunOp("Cumsum", {{"reverse", true}, {"exclusive", true}},
                   {Of<int32_t>({2, 3}, {1, 2, 3, 4, 5, 6}), Tensor::Scalar<int32_t>(-1)});
  ASSERT_TRUE(out.ok()) << out.status();
  EXPECT_EQ(SameTensor((*out)[0], Of<int32_t>({2, 3}, {5, 3, 0, 11, 6, 0})), absl::OkStatus());
}

}  // namespace
}  // namespace sluice::kernels
