// SPDX-License-Identifier: Apache-2.0
// Convolutions too large for nn_golden_test.cc: float, by oneDNN or patches, against patches in
// double.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/kernels/kernel_runner.h"

namespace sluice::kernels {
namespace {

using ::testing::HasSubstr;

Tensor Random(const Shape& shape, uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  Tensor tensor(kFloat, shape);
  for (float& v : tensor.mutable_flat<float>()) v = uniform(random);
  return tensor;
}

Tensor InDouble(const Tensor& in) {
  if (in.dtype() != kFloat) return in;
  Tensor out(kDouble, in.shape());
  std::copy_n(in.data<float>(), in.num_elements(), out.mutable_data<double>());
  return out;
}

Tensor SizesOf(const Tensor& tensor) {
  std::vector<int32_t> sizes(tensor.shape().dims().begin(), tensor.shape().dims().end());
  return Tensor::Vector<int32_t>(sizes);
}

// A sum of products near 0 has the rounding errors of its terms, which are as large as those of the
// largest sum. The processor determines the order in which oneDNN adds them, and minimal filtering
// has larger errors.
double Tolerance(const Tensor& want) {
  double largest = 0;
  for (double element : want.flat<double>()) largest = std::max(largest, std::abs(element));
  return std::max(3e-5, 3e-6 * largest);
}

// Runs the op in float and in double and compares. Returns the float result.
Tensor ExpectFloatIsDouble(KernelRunner& runner, absl::string_view op, const AttrMap& attrs,
                           std::vector<Tensor> inputs) {
  std::vector<Tensor> wide;
  for (const Tensor& input : inputs) wide.push_back(InDouble(input));
  const auto got = runner.Run(op, attrs, inputs), want = runner.Run(op, attrs, wide);
  EXPECT_TRUE(got.ok()) << got.status();
  EXPECT_TRUE(want.ok()) << want.status();
  if (!got.ok() || !want.ok()) return Tensor();
  EXPECT_EQ(SameTensor(InDouble((*got)[0]), (*want)[0], Tolerance((*want)[0])), absl::OkStatus())
      << op;
  return (*got)[0];
}

struct Sizes {
  Shape input, filter;
  int64_t stride;
  const char* padding;
};

TEST(ConvTest, FloatAgreesWithDoubleInEveryDirection) {
  KernelRunner runner;
  const Sizes all[] = {
      {{5, 14, 13, 16}, {3, 3, 16, 32}, 1, "SAME"},
      {{7, 14, 13, 3}, {5, 5, 3, 8}, 2, "VALID"},
      {{1, 30, 30, 8}, {1, 1, 8, 16}, 1, "VALID"},
      {{3, 9, 9, 8}, {3, 3, 4, 6}, 1, "SAME"},
      {{2, 20, 20, 17}, {7, 7, 17, 5}, 3, "SAME"},
      {{32, 8, 8, 1}, {3, 3, 1, 16}, 1, "SAME"},
      {{4, 4, 4, 32}, {4, 4, 32, 64}, 1, "VALID"},
      // Fewer images than threads: shards are bands of rows, which overlap in the input's gradient.
      {{1, 40, 40, 16}, {3, 3, 16, 32}, 1, "SAME"},
      {{1, 41, 40, 16}, {5, 5, 16, 32}, 2, "SAME"},
      {{2, 65, 40, 16}, {1, 1, 16, 96}, 2, "VALID"},
      {{1, 30, 20, 16}, {7, 3, 16, 32}, 1, "VALID"},
      // Images for which patches are faster than oneDNN's code for AVX2.
      {{3, 33, 30, 64}, {3, 3, 64, 32}, 1, "SAME"},
      {{3, 40, 41, 24}, {5, 3, 24, 48}, 2, "SAME"},
      {{2, 30, 61, 24}, {3, 5, 24, 32}, 1, "VALID"},
      // Minimal filtering: several images, one image, sides that are not whole tiles, padding on one
      // side only, numbers of channels that are not whole panels.
      {{16, 26, 26, 32}, {3, 3, 32, 64}, 1, "VALID"},
      {{1, 56, 56, 64}, {3, 3, 64, 64}, 1, "SAME"},
      {{5, 17, 30, 48}, {3, 3, 48, 80}, 1, "SAME"},
      {{3, 30, 19, 112}, {3, 3, 112, 32}, 1, "VALID"},
      {{40, 7, 8, 256}, {3, 3, 256, 288}, 1, "SAME"},
      // oneDNN has only its reference code for the gradient of this filter.
      {{1, 30, 30, 16}, {15, 15, 16, 32}, 1, "SAME"},
  };
  for (const Sizes& s : all) {
    const AttrMap attrs{{"strides", std::vector<int64_t>{1, s.stride, s.stride, 1}},
                        {"padding", s.padding}};
    const Tensor x = Random(s.input, 1), w = Random(s.filter, 2);
    const Tensor y = ExpectFloatIsDouble(runner, "Conv2D", attrs, {x, w});
    const Tensor dy = Random(y.shape(), 3);
    ExpectFloatIsDouble(runner, "Conv2DBackpropInput", attrs, {SizesOf(x), w, dy});
    ExpectFloatIsDouble(runner, "Conv2DBackpropFilter", attrs, {x, SizesOf(w), dy});
  }
}

// One volume: shards are bands of its planes.
TEST(ConvTest, VolumesInFloatAgreeWithDouble) {
  KernelRunner runner;
  const Sizes all[] = {
      {{1, 16, 10, 9, 16}, {3, 3, 3, 16, 32}, 1, "SAME"},
      {{1, 17, 12, 12, 16}, {5, 3, 3, 16, 16}, 2, "SAME"},
      {{2, 9, 20, 20, 8}, {2, 2, 3, 8, 16}, 1, "VALID"},
  };
  for (const Sizes& s : all) {
    const AttrMap attrs{{"strides", std::vector<int64_t>{1, s.stride, s.stride, s.stride, 1}},
                        {"padding", s.padding}};
    const Tensor x = Random(s.input, 1), w = Random(s.filter, 2);
    const Tensor y = ExpectFloatIsDouble(runner, "Conv3D", attrs, {x, w});
    const Tensor dy = Random(y.shape(), 3);
    ExpectFloatIsDouble(runner, "Conv3DBackpropInputV2", attrs, {SizesOf(x), w, dy});
    ExpectFloatIsDouble(runner, "Conv3DBackpropFilterV2", attrs, {x, SizesOf(w), dy});
  }
}

// With strides, a window of one element and few input channels, oneDNN's code for the filter's
// gradient wrote beyond its memory, and the process aborted or had wrong values.
TEST(ConvTest, StridedWindowsOfOneElementLeaveOtherMemoryAlone) {
  KernelRunner runner;
  const AttrMap attrs{{"strides", std::vector<int64_t>{1, 2, 2, 1}}, {"padding", "SAME"}};
  for (int64_t channels : {1, 3, 4, 7, 12, 16}) {
    const Tensor x = Random({16, 32, 32, channels}, 1), w = Random({1, 1, channels, 8}, 2);
    for (int repeat = 0; repeat < 3; ++repeat) {
      const Tensor y = ExpectFloatIsDouble(runner, "Conv2D", attrs, {x, w});
      const Tensor dy = Random(y.shape(), 3);
      ExpectFloatIsDouble(runner, "Conv2DBackpropInput", attrs, {SizesOf(x), w, dy});
      ExpectFloatIsDouble(runner, "Conv2DBackpropFilter", attrs, {x, SizesOf(w), dy});
    }
  }
}

TEST(ConvTest, OneNodeTakesChangingShapes) {
  KernelRunner runner;
  const AttrMap attrs{{"strides", std::vector<int64_t>{1, 1, 1, 1}}, {"padding", "SAME"}};
  auto node = runner.Make("Conv2D", attrs, {kFloat, kFloat});
  ASSERT_TRUE(node.ok()) << node.status();
  for (int64_t batch = 1; batch < 80; ++batch) {
    const auto out = runner.Run(*node, {Random({batch, 3, 3, 2}, 1), Random({2, 2, 2, 3}, 2)});
    ASSERT_TRUE(out.ok()) << out.status();
    EXPECT_EQ((*out)[0].dim(0), batch);
  }
}

// Batches that are cut into parts, one image that is cut into bands, and sizes that patches compute.
TEST(ConvTest, FusedWithBiasAndActivationIsTheSeparateOps) {
  struct Case {
    Shape input, filter;
    int64_t stride;
  };
  const Case cases[] = {{{37, 26, 26, 8}, {3, 3, 8, 64}, 1},  {{1, 64, 64, 16}, {3, 3, 16, 32}, 1},
                        {{3, 9, 9, 4}, {2, 2, 2, 6}, 2},      {{2, 3, 3, 600}, {3, 3, 600, 64}, 1},
                        {{5, 26, 23, 32}, {3, 3, 32, 64}, 1}, {{2, 8, 8, 3}, {1, 1, 3, 5}, 2},
                        {{0, 8, 8, 3}, {2, 2, 3, 5}, 1}};
  KernelRunner runner;
  const auto run = [&](absl::string_view op, const AttrMap& attrs, std::vector<Tensor> inputs) {
    auto out = runner.Run(op, attrs, std::move(inputs));
    EXPECT_TRUE(out.ok()) << op << ": " << out.status();
    return out.ok() ? (*out)[0] : Tensor();
  };
  for (const Case& c : cases) {
    AttrMap attrs{{"strides", std::vector<int64_t>{1, c.stride, c.stride, 1}}, {"padding", "SAME"}};
    Tensor x = Random(c.input, 1);
    const Tensor w = Random(c.filter, 2), b = Random({c.filter.dim(3)}, 3);
    if (x.num_elements() > 0) x.mutable_data<float>()[0] = NAN;
    const Tensor sum = run("BiasAdd", {}, {run("Conv2D", attrs, {x, w}), b});
    const std::pair<std::vector<std::string>, Tensor> wanted[] = {
        {{"BiasAdd"}, sum},
        {{"BiasAdd", "Relu"}, run("Relu", {}, {sum})},
        {{"BiasAdd", "Relu6"}, run("Relu6", {}, {sum})}};
    for (const auto& [ops, want] : wanted) {
      attrs["fused_ops"] = ops;
      EXPECT_EQ(SameTensor(run("_FusedConv2D", attrs, {x, w, b}), want), absl::OkStatus())
          << c.input.ToString() << " " << ops.back();
    }
  }
}

TEST(ConvTest, FusedRefusesWhatItHasNoCodeFor) {
  const Tensor x = Random({1, 4, 4, 2}, 1), w = Random({2, 2, 2, 3}, 2), b = Random({3}, 3);
  AttrMap attrs{{"strides", std::vector<int64_t>{1, 1, 1, 1}},
                {"padding", "SAME"},
                {"fused_ops", std::vector<std::string>{"BiasAdd", "Elu"}}};
  KernelRunner runner;
  EXPECT_THAT(runner.Run("_FusedConv2D", attrs, {x, w, b}).status().message(),
              HasSubstr("fusing [BiasAdd,Elu] with 1 arguments is not supported"));
  attrs["fused_ops"] = std::vector<std::string>{"BiasAdd"};
  EXPECT_THAT(runner.Run("_FusedConv2D", attrs, {x, w, Random({2}, 3)}).status().message(),
              HasSubstr("Must provide as many biases"));
}

TEST(ConvTest, IntegersAreExact) {
  Tensor x(kInt32, Shape{1, 3, 3, 1}), w(kInt32, Shape{3, 3, 1, 1});
  for (int i = 0; i < 9; ++i) {
    x.mutable_flat<int32_t>()[i] = i;
    w.mutable_flat<int32_t>()[i] = 1;
  }
  const auto out = RunOp(
      "Conv2D", {{"strides", std::vector<int64_t>{1, 1, 1, 1}}, {"padding", "VALID"}}, {x, w});
  ASSERT_TRUE(out.ok()) << out.status();
  EXPECT_THAT((*out)[0].flat<int32_t>(), ::testing::ElementsAre(36));
}

absl::Status Conv(const Shape& input, const Shape& filter, AttrMap attrs = {}) {
  if (!attrs.contains("strides")) attrs["strides"] = std::vector<int64_t>{1, 1, 1, 1};
  if (!attrs.contains("padding")) attrs["padding"] = "VALID";
  return RunOp("Conv2D", attrs, {Tensor(kFloat, input), Tensor(kFloat, filter)}).status();
}

TEST(ConvTest, EmptyBatchesAndOutputsAreFine) {
  EXPECT_EQ(Conv({0, 3, 4, 4}, {1, 1, 4, 4}), absl::OkStatus());
  EXPECT_EQ(Conv({1, 3, 4, 2}, {1, 1, 2, 0}), absl::OkStatus());
  EXPECT_EQ(Conv({1, 0, 4, 2}, {1, 1, 2, 3}), absl::OkStatus());
}

TEST(ConvTest, BadShapesAndAttributesAreErrors) {
  const auto expect = [](const absl::Status& status, absl::string_view text) {
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(std::string(status.message()), HasSubstr(std::string(text)));
  };
  using Ints = std::vector<int64_t>;
  expect(Conv({3, 4, 1}, {1, 1, 1, 1}), "input must be 4-dimensional");
  expect(Conv({3, 4, 1, 1}, {}), "filter must be 4-dimensional");
  expect(Conv({1, 3, 4, 3}, {1, 1, 2, 1}), "input depth must be evenly divisible by filter depth");
  expect(Conv({1, 3, 4, 4}, {5, 5, 4, 4}), "Computed output size would be negative");
  expect(Conv({1, 3, 4, 4}, {0, 1, 4, 4}), "filter must not have zero elements");
  expect(Conv({1, 3, 4, 0}, {1, 1, 0, 4}), "filter depth must be positive");
  expect(Conv({1, 3, 4, 4}, {1, 1, 4, 4}, {{"strides", Ints{1, 0, 1, 1}}}),
         "should be larger than 0");
  expect(Conv({1, 3, 4, 4}, {1, 1, 4, 4}, {{"strides", Ints{1, 1}}}), "4 dimensions");
  expect(Conv({1, 3, 4, 4}, {1, 1, 4, 4}, {{"strides", Ints{2, 1, 1, 1}}}), "batch and depth");
  expect(Conv({1, 3, 4, 4}, {1, 1, 4, 4}, {{"dilations", Ints{1, -1, 1, 1}}}),
         "should be larger than 0");
  expect(Conv({1, 3, 4, 4}, {1, 1, 4, 4}, {{"padding", "EXPLICIT"}}), "must contain 8 values");
  expect(Conv({1, 3, 4, 4}, {1, 1, 4, 4},
              {{"padding", "EXPLICIT"}, {"explicit_paddings", Ints{0, 0, -1, 0, 0, 0, 0, 0}}}),
         "nonnegative");
  expect(Conv({1, 3, 4, 4}, {1, 1, 4, 4}, {{"strides", Ints{1, int64_t{1} << 40, 1, 1}}}),
         "out of range");
}

TEST(ConvTest, GradientsCheckTheirSizes) {
  const AttrMap attrs{{"strides", std::vector<int64_t>{1, 1, 1, 1}}, {"padding", "SAME"}};
  const auto code = [&](absl::string_view op, Tensor a, Tensor b, Tensor c) {
    return RunOp(op, attrs, {std::move(a), std::move(b), std::move(c)}).status().code();
  };
  const Tensor filter(kFloat, Shape{3, 3, 1, 2}), grad(kFloat, Shape{1, 4, 3, 2});
  const auto sizes = [](std::initializer_list<int32_t> v) {
    return Tensor::Vector<int32_t>(std::vector<int32_t>(v));
  };
  for (const Tensor& bad : {sizes({1, 4, 4, 1}), sizes({2, 4, 3, 1}), sizes({1, 4, 3, 3, 1}),
                            sizes({1, -4, 3, 1}), sizes({}), Tensor::Scalar<int32_t>(4),
                            sizes({1 << 30, 1 << 30, 1 << 30, 1 << 30}), sizes({1, 4, 3, 0})}) {
    EXPECT_EQ(code("Conv2DBackpropInput", bad, filter, grad), absl::StatusCode::kInvalidArgument)
        << bad.ToString();
  }
  const Tensor input(kFloat, Shape{1, 4, 3, 1});
  for (const Tensor& bad : {sizes({3, 3, 1, 3}), sizes({3, 3, 2, 2}), sizes({3, 3}),
                            sizes({0, 3, 1, 2}), sizes({3, 3, 0, 2}), sizes({-1, 3, 1, 2})}) {
    EXPECT_EQ(code("Conv2DBackpropFilter", input, bad, grad), absl::StatusCode::kInvalidArgument)
        << bad.ToString();
  }
  EXPECT_EQ(code("Conv2DBackpropFilter", input, sizes({3, 3, 1, 2}), grad), absl::StatusCode::kOk);
}

}  // namespace
}  // namespace sluice::kernels
