// SPDX-License-Identifier: Apache-2.0
// Kernels that no client can request any more, and malformed inputs of those on images and sound.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "tests/kernels/kernel_runner.h"

namespace sluice::kernels {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;

Tensor Counted(const Shape& shape) {
  Tensor tensor(kFloat, shape);
  for (int64_t i = 0; i < shape.num_elements(); ++i) {
    tensor.mutable_data<float>()[i] = static_cast<float>(i);
  }
  return tensor;
}

absl::Status StatusOf(absl::string_view op, AttrMap attrs, std::vector<Tensor> inputs) {
  return RunOp(op, std::move(attrs), std::move(inputs)).status();
}

// Short pixels use gathering, long ones filtering channel by channel.
TEST(ResizeTest, AChannelDoesNotDependOnHowManyThereAre) {
  const Tensor wide = Counted({2, 5, 7, 8});
  Tensor narrow(kFloat, Shape{2, 5, 7, 3});
  for (int64_t i = 0; i < narrow.num_elements(); ++i) {
    narrow.mutable_data<float>()[i] = wide.data<float>()[i / 3 * 8 + i % 3];
  }
  for (const char* op : {"ResizeBilinear", "ResizeBicubic", "ResizeArea"}) {
    for (bool centers : {false, true}) {
      AttrMap attrs;
      if (op != absl::string_view("ResizeArea")) attrs = {{"half_pixel_centers", centers}};
      const Tensor size = Tensor::Vector<int32_t>({9, 4});
      const auto of_wide = RunOp(op, attrs, {wide, size}),
                 of_narrow = RunOp(op, attrs, {narrow, size});
      ASSERT_TRUE(of_wide.ok()) << of_wide.status();
      ASSERT_TRUE(of_narrow.ok()) << of_narrow.status();
      for (int64_t i = 0; i < (*of_narrow)[0].num_elements(); ++i) {
        const float expected = (*of_wide)[0].data<float>()[i / 3 * 8 + i % 3];
        EXPECT_NEAR((*of_narrow)[0].data<float>()[i], expected, 1e-3) << op;
      }
    }
  }
}

// TensorFlow 1.15 has these for old graphs only; their formulas are in its documentation.
TEST(OldOpsTest, AdjustContrastClips) {
  const auto out =
      RunOp("AdjustContrast", {},
            {Counted({2, 2, 1}), Tensor::Scalar(2.0F), Tensor::Scalar(0.0F), Tensor::Scalar(3.5F)});
  ASSERT_TRUE(out.ok()) << out.status();
  EXPECT_THAT((*out)[0].flat<float>(), ElementsAre(0, 0.5, 2.5, 3.5));
}

TEST(OldOpsTest, RandomCropAdvancesItsRandomStream) {
  KernelRunner runner;
  auto node =
      runner.Make("RandomCrop", {{"seed", int64_t{3}}, {"seed2", int64_t{5}}}, {kFloat, kInt64});
  ASSERT_TRUE(node.ok()) << node.status();
  const Tensor size = Tensor::Vector<int64_t>({2, 3});
  bool moved = false;
  float first = -1;
  for (int i = 0; i < 10; ++i) {
    const auto out = runner.Run(*node, {Counted({20, 30, 1}), size});
    ASSERT_TRUE(out.ok()) << out.status();
    const auto crop = (*out)[0].flat<float>();
    EXPECT_THAT(crop, ElementsAre(crop[0], crop[0] + 1, crop[0] + 2, crop[0] + 30, crop[0] + 31,
                                  crop[0] + 32));
    moved |= first >= 0 && crop[0] != first;
    first = crop[0];
  }
  EXPECT_TRUE(moved);
  EXPECT_THAT(StatusOf("RandomCrop", {}, {Counted({2, 2, 1}), size}).message(),
              HasSubstr("width must be >= target_width"));
}

TEST(OldOpsTest, GlobalBatchNormAndItsGradientAgree) {
  const AttrMap attrs{{"variance_epsilon", 0.5F}, {"scale_after_normalization", true}};
  const auto vec = [](float a, float b) { return Tensor::Vector<float>({a, b}); };
  const Tensor x = Counted({1, 1, 3, 2}), mean = vec(1, 2), variance = vec(0.5, 3.5);
  const Tensor beta = vec(10, 20), gamma = vec(1, 4);
  const auto y = RunOp("BatchNormWithGlobalNormalization", attrs, {x, mean, variance, beta, gamma});
  ASSERT_TRUE(y.ok()) << y.status();
  EXPECT_THAT((*y)[0].flat<float>(), ElementsAre(9, 18, 11, 22, 13, 26));
  const auto grads = RunOp("BatchNormWithGlobalNormalizationGrad", attrs,
                           {x, mean, variance, gamma, Counted({1, 1, 3, 2})});
  ASSERT_TRUE(grads.ok()) << grads.status();
  const auto near = [](const Tensor& t, const std::vector<float>& expected) {
    EXPECT_THAT(t.flat<float>(), Pointwise(FloatNear(1e-4), expected));
  };
  near((*grads)[0], {0, 2, 2, 6, 4, 10});
  near((*grads)[1], {-6, -18});
  near((*grads)[2], {-7, -4.25});
  near((*grads)[3], {6, 9});
  near((*grads)[4], {14, 8.5});
}

TEST(HostileImagesTest, SizesAreCheckedBeforeMemoryIsTaken) {
  constexpr int32_t kHuge = std::numeric_limits<int32_t>::max();
  const Tensor image = Counted({1, 2, 2, 1});
  for (const char* op : {"ResizeBilinear", "ResizeNearestNeighbor"}) {
    EXPECT_FALSE(StatusOf(op, {}, {image, Tensor::Vector<int32_t>({kHuge, -1})}).ok()) << op;
  }
  EXPECT_FALSE(StatusOf("ResizeBilinear", {}, {image, Tensor::Vector<int32_t>({kHuge, 1})}).ok());
  // A window as high as the image, over long rows: rows are not kept.
  const auto back =
      RunOp("ResizeBilinearGrad", {}, {Counted({1, 9000, 1, 1}), Counted({1, 1, 9000, 1})});
  EXPECT_TRUE(back.ok()) << back.status();
  EXPECT_FALSE(StatusOf("CropAndResizeGradImage", {{"T", kFloat}},
                        {Counted({0, 2, 2, 1}), Counted({0, 4}), Tensor(kInt32, Shape{0}),
                         Tensor::Vector<int32_t>({1, -2, 3, 1})})
                   .ok());
  EXPECT_FALSE(
      StatusOf("AudioSpectrogram",
               {{"window_size", std::numeric_limits<int64_t>::max()}, {"stride", int64_t{1}}},
               {Counted({4, 1})})
          .ok());
  EXPECT_FALSE(StatusOf("FractionalAvgPoolGrad", {},
                        {Tensor::Vector<int64_t>({1, 4, 4, 1}), Counted({1, 2, 2, 1}),
                         Tensor::Vector<int64_t>({0, 2, 5}), Tensor::Vector<int64_t>({0, 2, 4})})
                   .ok());
}

TEST(HostileImagesTest, PositionsThatAreNoNumbersTouchNothing) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInf = std::numeric_limits<float>::infinity();
  const Tensor image = Counted({1, 2, 2, 1});
  Tensor boxes(kFloat, Shape{1, 2, 4});
  const float edges[] = {kNan, 0, 1, 1, -kInf, -1e30F, kInf, 1e30F};
  std::copy_n(edges, 8, boxes.mutable_data<float>());
  const auto drawn = RunOp("DrawBoundingBoxes", {}, {image, boxes});
  ASSERT_TRUE(drawn.ok()) << drawn.status();
  EXPECT_TRUE(SameTensor((*drawn)[0], image).ok());
  const auto cropped = RunOp("CropAndResize", {{"extrapolation_value", 5.0F}},
                             {image, *boxes.Reshaped({2, 4}), Tensor::Vector<int32_t>({0, 0}),
                              Tensor::Vector<int32_t>({2, 2})});
  ASSERT_TRUE(cropped.ok()) << cropped.status();
  const Tensor offsets = *Tensor::Vector<float>({kNan, 0}).Reshaped({1, 2});
  EXPECT_FALSE(
      StatusOf("ExtractGlimpse", {}, {image, Tensor::Vector<int32_t>({1, 1}), offsets}).ok());
  const auto nth =
      RunOp("NthElement", {}, {Tensor::Vector<float>({kNan, 2, kNan, 1, kNan}), Tensor::Scalar(1)});
  ASSERT_TRUE(nth.ok()) << nth.status();
  EXPECT_EQ((*nth)[0].scalar<float>(), 2);
}

}  // namespace
}  // namespace sluice::kernels
