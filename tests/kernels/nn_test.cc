// SPDX-License-Identifier: Apache-2.0
// Shapes, empty tensors and errors of the nn kernels. nn_golden_test.cc checks their results.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/kernels/kernel_runner.h"

namespace sluice::kernels {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Ints = std::vector<int64_t>;

Tensor Ones(const Shape& shape) {
  Tensor tensor(kFloat, shape);
  std::fill_n(tensor.mutable_data<float>(), shape.num_elements(), 1.0f);
  return tensor;
}

// Numbers of both signs, many of them different.
Tensor Wave(const Shape& shape, float step) {
  Tensor tensor(kFloat, shape);
  for (int64_t i = 0; i < shape.num_elements(); ++i)
    tensor.mutable_data<float>()[i] = std::sin(step * static_cast<float>(i));
  return tensor;
}

std::string ErrorOf(absl::string_view op, AttrMap attrs, std::vector<Tensor> inputs) {
  const auto out = RunOp(op, std::move(attrs), std::move(inputs));
  EXPECT_EQ(out.status().code(), absl::StatusCode::kInvalidArgument) << op;
  return std::string(out.status().message());
}

TEST(BiasTest, AddsAlongTheChannelsOfAnyRank) {
  const Tensor bias = Tensor::Vector<float>({10, 20});
  for (const Shape& shape : {Shape{3, 2}, Shape{2, 3, 2}, Shape{1, 2, 1, 2, 1, 2}}) {
    const auto out = RunOp("BiasAdd", {}, {Ones(shape), bias});
    ASSERT_TRUE(out.ok()) << out.status();
    for (int64_t i = 0; i < shape.num_elements(); ++i) {
      EXPECT_EQ((*out)[0].flat<float>()[i], i % 2 == 0 ? 11 : 21);
    }
  }
  const auto first = RunOp("BiasAdd", {{"data_format", "NCHW"}}, {Ones({1, 2, 2, 1}), bias});
  ASSERT_TRUE(first.ok());
  EXPECT_THAT((*first)[0].flat<float>(), ElementsAre(11, 11, 21, 21));
}

TEST(BiasTest, IsAddedInPlaceOnlyWithoutOtherReferences) {
  Tensor value = Ones({2, 2});
  const Tensor bias = Tensor::Vector<float>({1, 2});
  const auto kept = RunOp("BiasAdd", {}, {value, bias});
  ASSERT_TRUE(kept.ok());
  EXPECT_THAT(value.flat<float>(), Each(1.0f));
  const void* raw = value.raw();
  std::vector<Tensor> inputs(2);
  inputs[0] = std::move(value);
  inputs[1] = bias;
  const auto moved = RunOp("BiasAdd", {}, std::move(inputs));
  ASSERT_TRUE(moved.ok());
  EXPECT_EQ((*moved)[0].raw(), raw);
  EXPECT_THAT((*moved)[0].flat<float>(), ElementsAre(2, 3, 2, 3));
}

TEST(BiasTest, ItsGradientWithThatOfReluIsThatOfTheTwoOps) {
  for (const Shape& shape : {Shape{3, 2}, Shape{300, 70}, Shape{5, 9, 8, 33}, Shape{0, 4}}) {
    const Tensor gradients = Wave(shape, 0.3f), features = Wave(shape, 0.7f);
    const auto relu = RunOp("ReluGrad", {}, {gradients, features});
    ASSERT_TRUE(relu.ok()) << relu.status();
    const auto sums = RunOp("BiasAddGrad", {}, {(*relu)[0]});
    const auto both = RunOp("_FusedReluGrad", {}, {gradients, features});
    ASSERT_TRUE(sums.ok() && both.ok()) << both.status();
    EXPECT_EQ(SameTensor((*both)[0], (*relu)[0]), absl::OkStatus()) << shape.ToString();
    EXPECT_EQ(SameTensor((*both)[1], (*sums)[0]), absl::OkStatus()) << shape.ToString();
  }
  EXPECT_THAT(ErrorOf("_FusedReluGrad", {}, {Ones({2, 3}), Ones({3, 2})}),
              HasSubstr("must have the same size and shape"));
  EXPECT_THAT(ErrorOf("_FusedReluGrad", {}, {Ones({2}), Ones({2})}), HasSubstr("at least 2"));
}

TEST(BiasTest, WrongShapesAreErrors) {
  EXPECT_THAT(ErrorOf("BiasAdd", {}, {Ones({3}), Ones({3})}), HasSubstr("must be at least 2D"));
  EXPECT_THAT(ErrorOf("BiasAdd", {}, {Ones({3, 2}), Ones({3, 2})}), HasSubstr("must be 1D"));
  EXPECT_THAT(ErrorOf("BiasAdd", {}, {Ones({3, 2}), Ones({3})}),
              HasSubstr("Must provide as many biases as the last dimension"));
  EXPECT_THAT(ErrorOf("BiasAddGrad", {}, {Ones({})}), HasSubstr("must be at least 2D"));
}

TEST(BiasTest, GradientOfManyRowsIsTheirSum) {
  const auto out = RunOp("BiasAddGrad", {}, {Ones({1000, 3})});
  ASSERT_TRUE(out.ok());
  EXPECT_THAT((*out)[0].flat<float>(), Each(1000.0f));
  const auto none = RunOp("BiasAddGrad", {}, {Ones({0, 2})});
  ASSERT_TRUE(none.ok());
  EXPECT_THAT((*none)[0].flat<float>(), ElementsAre(0, 0));
}

TEST(SoftmaxTest, LabelsOutOfRangeAreErrors) {
  const auto run = [](const Shape& logits, std::vector<int64_t> labels) {
    return ErrorOf("SparseSoftmaxCrossEntropyWithLogits", {},
                   {Ones(logits), Tensor::Vector<int64_t>(labels)});
  };
  EXPECT_THAT(run({2, 3}, {0, 3}),
              HasSubstr("Received a label value of 3 which is outside the valid range of [0, 3)"
                        ".  Label values: 0 3"));
  EXPECT_THAT(run({2, 3}, {0, -1}), HasSubstr("Received a label value of -1"));
  EXPECT_THAT(run({1, 0}, {0}), HasSubstr("at least one class"));
  EXPECT_THAT(run({2, 3}, {0}), HasSubstr("same first dimension"));
  EXPECT_THAT(run({2}, {0, 1}), HasSubstr("logits must be 2-D"));
}

TEST(SoftmaxTest, ShapesOfCrossEntropyMustBroadcast) {
  const auto run = [](const Shape& logits, const Shape& labels) {
    return ErrorOf("SoftmaxCrossEntropyWithLogits", {}, {Ones(logits), Ones(labels)});
  };
  EXPECT_THAT(run({2, 3}, {2, 2}), HasSubstr("logits_size=[2,3] labels_size=[2,2]"));
  EXPECT_THAT(run({3}, {3}), HasSubstr("2-dimensional"));
  EXPECT_THAT(run({2, 3, 1}, {3, 1}), HasSubstr("2-dimensional"));
  EXPECT_THAT(ErrorOf("Softmax", {}, {Ones({})}), HasSubstr(">= 1 dimension"));
}

TEST(PoolTest, WindowsAndShapesAreChecked) {
  const auto run = [](const Shape& shape, Ints ksize, Ints strides) {
    return RunOp("MaxPool", {{"ksize", ksize}, {"strides", strides}, {"padding", "VALID"}},
                 {Ones(shape)})
        .status();
  };
  const Ints two{1, 2, 2, 1};
  EXPECT_EQ(run({1, 4, 4, 1}, two, two), absl::OkStatus());
  EXPECT_EQ(run({0, 4, 4, 1}, two, two), absl::OkStatus());
  EXPECT_EQ(run({1, 1, 1, 1}, two, two), absl::OkStatus());  // an empty result
  EXPECT_EQ(run({1, 4, 4, 0}, two, two), absl::OkStatus());
  EXPECT_EQ(run({4, 4, 1}, two, two).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(run({1, 4, 4, 1}, {1, 0, 2, 1}, two).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(run({1, 4, 4, 1}, two, {1, -1, 2, 1}).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(run({1, 4, 4, 1}, {1, 2, 2}, two).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(run({2, 4, 4, 1}, {2, 1, 1, 1}, two).code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(run({1, 1, 1, 4}, {1, 1, 1, 3}, {1, 1, 1, 3}).code(), absl::StatusCode::kUnimplemented);
}

TEST(PoolTest, WindowsMayComeAsInputs) {
  const Tensor two = Tensor::Vector<int32_t>({1, 2, 2, 1});
  const auto out = RunOp("MaxPoolV2", {{"padding", "VALID"}}, {Ones({1, 4, 4, 1}), two, two});
  ASSERT_TRUE(out.ok()) << out.status();
  EXPECT_EQ((*out)[0].shape(), (Shape{1, 2, 2, 1}));
  const auto grad = RunOp("MaxPoolGradV2", {{"padding", "VALID"}},
                          {Ones({1, 4, 4, 1}), Ones({1, 2, 2, 1}), Ones({1, 2, 2, 1}), two, two});
  ASSERT_TRUE(grad.ok()) << grad.status();
  ErrorOf("MaxPoolV2", {{"padding", "VALID"}},
          {Ones({1, 4, 4, 1}), Tensor::Vector<int32_t>({1}), two});
}

TEST(PoolTest, GradientsCheckTheirShapes) {
  const AttrMap attrs{
      {"ksize", Ints{1, 2, 2, 1}}, {"strides", Ints{1, 2, 2, 1}}, {"padding", "VALID"}};
  const Tensor x = Ones({1, 4, 4, 1}), y = Ones({1, 2, 2, 1}), bad = Ones({1, 3, 2, 1});
  ErrorOf("MaxPoolGrad", attrs, {x, bad, y});
  ErrorOf("MaxPoolGrad", attrs, {x, y, bad});
  ErrorOf("AvgPoolGrad", attrs, {Tensor::Vector<int32_t>({1, 4, 4, 1}), bad});
  ErrorOf("AvgPoolGrad", attrs, {Tensor::Vector<int32_t>({1, 4}), y});
  ErrorOf("AvgPoolGrad", attrs, {Tensor::Vector<int32_t>({1, 4, 4, -1}), y});
  Tensor where(kInt64, Shape{1, 2, 2, 1});
  std::fill_n(where.mutable_data<int64_t>(), 4, 3);
  const auto ok = RunOp("MaxPoolGradWithArgmax", attrs, {x, y, where});
  ASSERT_TRUE(ok.ok()) << ok.status();
  EXPECT_EQ((*ok)[0].flat<float>()[3], 4.0f);
  where.mutable_flat<int64_t>()[2] = 16;
  ErrorOf("MaxPoolGradWithArgmax", attrs, {x, y, where});
  where.mutable_flat<int64_t>()[2] = -1;
  ErrorOf("MaxPoolGradWithArgmax", attrs, {x, y, where});
}

TEST(BatchNormTest, VectorsMustMatchTheChannels) {
  const Tensor x = Ones({1, 1, 1, 2}), two = Ones({2}), three = Ones({3}), none = Ones({0});
  const AttrMap inference{{"is_training", false}};
  ErrorOf("FusedBatchNorm", inference, {x, three, two, two, two});
  ErrorOf("FusedBatchNorm", inference, {x, two, two, none, none});
  ErrorOf("FusedBatchNorm", inference, {Ones({1, 2}), two, two, two, two});
  ErrorOf("FusedBatchNormGrad", {}, {x, x, two, three, two});
  ErrorOf("FusedBatchNormGrad", {}, {x, Ones({2, 1, 1, 2}), two, two, two});
}

TEST(BatchNormTest, InferenceReturnsItsMeanAndVariance) {
  const Tensor x = Ones({2, 1, 1, 2}), mean = Tensor::Vector<float>({0, 1});
  const auto out = RunOp("FusedBatchNormV3", {{"is_training", false}, {"epsilon", 0.0f}},
                         {x, Ones({2}), Ones({2}), mean, Ones({2})});
  ASSERT_TRUE(out.ok()) << out.status();
  EXPECT_THAT((*out)[0].flat<float>(), ElementsAre(2, 1, 2, 1));
  EXPECT_THAT((*out)[1].flat<float>(), ElementsAre(0, 1));
  EXPECT_THAT((*out)[3].flat<float>(), ElementsAre(0, 1));
}

TEST(BatchNormTest, AnEmptyBatchHasNoStatistics) {
  const auto out = RunOp("FusedBatchNormV3", {},
                         {Ones({0, 2, 2, 2}), Ones({2}), Ones({2}), Ones({0}), Ones({0})});
  ASSERT_TRUE(out.ok()) << out.status();
  EXPECT_TRUE(std::isnan((*out)[1].flat<float>()[0]));
  const auto grad =
      RunOp("FusedBatchNormGradV3", {},
            {Ones({0, 2, 2, 2}), Ones({0, 2, 2, 2}), Ones({2}), Ones({2}), Ones({2}), Ones({0})});
  ASSERT_TRUE(grad.ok()) << grad.status();
  EXPECT_THAT((*grad)[1].flat<float>(), ElementsAre(0, 0));
}

TEST(BatchNormTest, HalfIsNormalisedInFloat) {
  Tensor x(kHalf, Shape{4, 1, 1, 1});
  const float values[] = {1, 2, 3, 4};
  for (int i = 0; i < 4; ++i) x.mutable_flat<Half>()[i] = values[i];
  for (const char* format : {"NHWC", "NCHW"}) {
    const auto out = RunOp("FusedBatchNormV3", {{"data_format", format}, {"epsilon", 0.0f}},
                           {x, Ones({1}), Ones({1}), Ones({0}), Ones({0})});
    ASSERT_TRUE(out.ok()) << out.status();
    EXPECT_NEAR((*out)[0].flat<Half>()[0], 1 - 1.5 / std::sqrt(1.25), 1e-3);
    EXPECT_FLOAT_EQ((*out)[1].flat<float>()[0], 2.5f);
  }
}

TEST(LrnTest, WrongShapesAreErrors) {
  ErrorOf("LRN", {}, {Ones({1, 2})});
  ErrorOf("LRN", {{"depth_radius", int64_t{-1}}}, {Ones({1, 1, 1, 2})});
  ErrorOf("LRNGrad", {}, {Ones({1, 1, 2, 2}), Ones({1, 1, 2, 2}), Ones({1, 1, 2, 1})});
  const auto none = RunOp("LRN", {}, {Ones({1, 0, 1, 2})});
  EXPECT_EQ(none.status(), absl::OkStatus());
}

TEST(DepthwiseConvTest, WrongShapesAreErrors) {
  const AttrMap attrs{{"strides", Ints{1, 1, 1, 1}}, {"padding", "SAME"}};
  ErrorOf("DepthwiseConv2dNative", attrs, {Ones({1, 3, 3, 3}), Ones({2, 2, 2, 1})});
  ErrorOf("DepthwiseConv2dNative", attrs, {Ones({1, 3, 3}), Ones({2, 2, 2, 1})});
  ErrorOf("DepthwiseConv2dNativeBackpropInput", attrs,
          {Tensor::Vector<int32_t>({1, 3, 3, 2}), Ones({2, 2, 2, 1}), Ones({1, 3, 2, 2})});
  ErrorOf("DepthwiseConv2dNativeBackpropFilter", attrs,
          {Ones({1, 3, 3, 2}), Tensor::Vector<int32_t>({2, 2, 2}), Ones({1, 3, 3, 2})});
  const auto none = RunOp("DepthwiseConv2dNative", attrs, {Ones({0, 3, 3, 2}), Ones({2, 2, 2, 1})});
  EXPECT_EQ(none.status(), absl::OkStatus());
}

// Images with even and odd sides, with ties and NaN.
TEST(PoolTest, TilesOfTwoByTwoHandGradientsToTheFirstMaximum) {
  const Ints two{1, 2, 2, 1};
  for (const Shape& shape : {Shape{2, 4, 6, 3}, Shape{1, 5, 7, 33}, Shape{3, 2, 3, 16}}) {
    Tensor x = Wave(shape, 0.9f);
    for (int64_t i = 0; i < shape.num_elements(); i += 5) x.mutable_data<float>()[i] = 1;
    for (int64_t i = 0; i < shape.num_elements(); i += 37) x.mutable_data<float>()[i] = NAN;
    for (const char* padding : {"VALID", "SAME"}) {
      const AttrMap attrs{{"ksize", two}, {"strides", two}, {"padding", padding}};
      const auto pooled = RunOp("MaxPoolWithArgmax", attrs, {x});
      ASSERT_TRUE(pooled.ok()) << pooled.status();
      const Tensor grad = Wave((*pooled)[0].shape(), 0.4f);
      const auto want = RunOp("MaxPoolGradWithArgmax", attrs, {x, grad, (*pooled)[1]});
      const auto got = RunOp("MaxPoolGrad", attrs, {x, (*pooled)[0], grad});
      ASSERT_TRUE(want.ok() && got.ok()) << want.status() << got.status();
      EXPECT_EQ(SameTensor((*got)[0], (*want)[0]), absl::OkStatus())
          << shape.ToString() << " " << padding;
    }
  }
}

}  // namespace
}  // namespace sluice::kernels
