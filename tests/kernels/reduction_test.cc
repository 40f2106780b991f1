// SPDX-License-Identifier: Apache-2.0
// Reductions: accuracy, an order that does not depend on threads, NaN, and every pattern of axes
// against a plain loop.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "tests/kernels/kernel_runner.h"

namespace sluice::kernels {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

Tensor Vec(std::vector<float> values) {
  Tensor t(kFloat, Shape{static_cast<int64_t>(values.size())});
  std::copy(values.begin(), values.end(), t.mutable_data<float>());
  return t;
}
Tensor Axes(std::vector<int32_t> values) { return Tensor::Vector<int32_t>(values); }

TEST(ReduceTest, EmptyInputsGiveTheNeutralElement) {
  const struct {
    const char* op;
    float expected;
  } rows[] = {{"Sum", 0}, {"Prod", 1}, {"Max", -kInf}, {"Min", kInf}, {"Mean", kNan}};
  for (const auto& row : rows) {
    auto out = RunOp(row.op, {}, {Tensor(kFloat, Shape{0, 2}), Axes({0})});
    ASSERT_TRUE(out.ok()) << out.status();
    EXPECT_EQ(SameTensor((*out)[0], Vec({row.expected, row.expected})), absl::OkStatus()) << row.op;
  }
  auto mean = RunOp("Mean", {}, {Tensor(kInt32, Shape{0}), Axes({0})});
  ASSERT_TRUE(mean.ok()) << mean.status();
  EXPECT_EQ((*mean)[0].scalar<int32_t>(), 0);
}

TEST(ReduceTest, MaxAndMinIgnoreNan) {
  const Tensor x = Vec({kNan, 1, kNan, 3, -2});
  auto max = RunOp("Max", {}, {x, Axes({0})});
  auto min = RunOp("Min", {}, {x, Axes({0})});
  auto all_nan = RunOp("Max", {}, {Vec({kNan, kNan}), Axes({0})});
  ASSERT_TRUE(max.ok() && min.ok() && all_nan.ok());
  EXPECT_EQ((*max)[0].scalar<float>(), 3);
  EXPECT_EQ((*min)[0].scalar<float>(), -2);
  EXPECT_EQ((*all_nan)[0].scalar<float>(), -kInf);
}

TEST(ReduceTest, LongSumsStayExact) {
  // If they were added one by one in float, the sum would stop at 2^24.
  Tensor ones(kFloat, Shape{40'000'000});
  std::fill_n(ones.mutable_data<float>(), ones.num_elements(), 1.0f);
  auto sum = RunOp("Sum", {}, {ones, Axes({0})});
  ASSERT_TRUE(sum.ok());
  EXPECT_EQ((*sum)[0].scalar<float>(), 4e7f);
}

TEST(ReduceTest, ReducesAnyAxes) {
  std::minstd_rand random(5);
  for (int round = 0; round < 300; ++round) {
    const int rank = 1 + static_cast<int>(random() % 8);
    Shape shape, kept;
    std::vector<int32_t> axes;
    std::vector<bool> reduced;
    for (int d = 0; d < rank; ++d) {
      shape.AddDim(1 + random() % (rank > 4 ? 4 : 30));
      reduced.push_back(random() % 2 == 0);
      if (reduced.back())
        axes.push_back(random() % 2 == 0 ? d : d - rank);
      else
        kept.AddDim(shape.dim(d));
    }
    Tensor x(kInt64, shape);
    for (int64_t& v : x.mutable_flat<int64_t>()) v = static_cast<int64_t>(random() % 2001) - 1000;
    Tensor expected(kInt64, kept);
    for (int64_t& v : expected.mutable_flat<int64_t>()) v = 0;
    for (int64_t i = 0; i < shape.num_elements(); ++i) {
      int64_t rest = i, at = 0, stride = 1;
      for (int d = rank - 1; d >= 0; --d) {
        if (!reduced[d]) {
          at += rest % shape.dim(d) * stride;
          stride *= shape.dim(d);
        }
        rest /= shape.dim(d);
      }
      expected.mutable_data<int64_t>()[at] += x.data<int64_t>()[i];
    }
    auto out = RunOp("Sum", {}, {x, Axes(axes)});
    ASSERT_TRUE(out.ok()) << out.status();
    EXPECT_EQ(SameTensor((*out)[0], expected), absl::OkStatus()) << shape.ToString();
  }
}

TEST(ReduceTest, LargeSumsDoNotDependOnThreads) {
  std::minstd_rand random(9);
  Tensor x(kFloat, Shape{300, 3001});
  for (float& v : x.mutable_flat<float>()) v = static_cast<float>(random()) / 1e9f;
  for (const std::vector<int32_t>& axes : {std::vector<int32_t>{0}, {1}, {0, 1}}) {
    KernelRunner pooled, alone;
    alone.step().pool = nullptr;
    auto a = pooled.Run("Sum", {}, {x, Axes(axes)});
    auto b = alone.Run("Sum", {}, {x, Axes(axes)});
    ASSERT_TRUE(a.ok() && b.ok());
    EXPECT_EQ(SameTensor((*a)[0], (*b)[0], 0), absl::OkStatus());
  }
}

TEST(ArgMaxTest, TakesTheFirstAndIgnoresNan) {
  auto first = RunOp("ArgMax", {}, {Vec({1, 3, 3, kNan, 2}), Tensor::Scalar<int32_t>(0)});
  auto all_nan = RunOp("ArgMax", {}, {Vec({kNan, kNan}), Tensor::Scalar<int32_t>(0)});
  auto empty = RunOp("ArgMax", {}, {Tensor(kFloat, Shape{0, 2}), Tensor::Scalar<int32_t>(0)});
  ASSERT_TRUE(first.ok() && all_nan.ok());
  EXPECT_EQ((*first)[0].scalar<int64_t>(), 1);
  EXPECT_EQ((*all_nan)[0].scalar<int64_t>(), 0);
  EXPECT_EQ(empty.status().code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace sluice::kernels
