// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/cuda/nn/register.h"
#include "tests/kernels/cuda/gpu_runner.h"

#ifdef SLUICE_CUDA_DOUBLE
#include "tests/cuda_double/libraries/libraries.h"
#endif

namespace sluice::kernels {
namespace {

struct ConvCase {
  int64_t batch, height, width, channels;
  int64_t kernel_height, kernel_width, depth, outputs;
  int64_t stride_h, stride_w, dilation_h, dilation_w;
  std::string padding;
  std::vector<int64_t> pads = {};  // of height and width, before and after
};

const ConvCase kConvCases[] = {
    {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, "VALID"},
    {2, 5, 7, 3, 3, 2, 3, 4, 1, 1, 1, 1, "SAME"},
    {2, 6, 6, 2, 3, 3, 2, 3, 2, 2, 1, 1, "SAME"},
    {1, 7, 8, 4, 3, 3, 4, 2, 2, 3, 1, 1, "VALID"},
    {2, 8, 9, 2, 3, 3, 2, 2, 1, 1, 2, 3, "SAME"},
    {1, 5, 5, 4, 2, 2, 2, 6, 1, 1, 1, 1, "SAME"},   // two groups
    {2, 4, 5, 3, 3, 3, 1, 3, 1, 2, 1, 1, "VALID"},  // a group for each channel
    {1, 4, 4, 2, 3, 3, 2, 2, 1, 1, 1, 1, "EXPLICIT", {1, 3, 2, 0}},
    {2, 5, 4, 2, 2, 3, 2, 3, 2, 1, 1, 1, "EXPLICIT", {0, 0, 4, 1}},
    {1, 2, 2, 1, 3, 3, 1, 2, 1, 1, 1, 1, "VALID"},  // no place: an empty result
    {1, 4, 4, 2, 1, 1, 2, 3, 3, 3, 1, 1, "SAME"},
};
constexpr DType kConvTypes[] = {kHalf, kBfloat16, kFloat, kDouble};

double ToleranceOf(DType dtype) {
  switch (dtype) {
    case kHalf:
      return 1e-2;
    case kBfloat16:
      return 8e-2;
    case kFloat:
      return 1e-5;
    default:
      return 1e-12;
  }
}

std::vector<int64_t> InLayout(bool first, int64_t n, int64_t h, int64_t w, int64_t c) {
  return first ? std::vector<int64_t>{n, c, h, w} : std::vector<int64_t>{n, h, w, c};
}
Tensor SizesOf(const Shape& shape) {
  return Tensor::Vector<int32_t>(std::vector<int32_t>(shape.dims().begin(), shape.dims().end()));
}

AttrMap AttrsOf(const ConvCase& c, bool first) {
  AttrMap attrs{{"data_format", std::string(first ? "NCHW" : "NHWC")},
                {"padding", c.padding},
                {"strides", InLayout(first, 1, c.stride_h, c.stride_w, 1)},
                {"dilations", InLayout(first, 1, c.dilation_h, c.dilation_w, 1)}};
  if (!c.pads.empty()) {
    std::vector<int64_t> pads(8, 0);
    std::copy(c.pads.begin(), c.pads.end(), pads.begin() + (first ? 4 : 2));
    attrs["explicit_paddings"] = pads;
  }
  return attrs;
}

class CudaConvTest : public ::testing::Test {
 protected:
  // Runs a convolution and both gradients on both devices.
  void CompareAll(const ConvCase& c, DType dtype, bool first, bool depthwise) {
    SCOPED_TRACE(Cat(Name(dtype), first ? " NCHW" : " NHWC", " case ", &c - kConvCases));
    const AttrMap attrs = AttrsOf(c, first);
    const Shape filter_shape{c.kernel_height, c.kernel_width, depthwise ? c.channels : c.depth,
                             depthwise ? 2 : c.outputs};
    const Tensor input = RandomTensor(
        dtype, *Shape::Create(InLayout(first, c.batch, c.height, c.width, c.channels)), 1);
    const Tensor filter = RandomTensor(dtype, filter_shape, 2);
    const char* op = depthwise ? "DepthwiseConv2dNative" : "Conv2D";
    const double tolerance = ToleranceOf(dtype);
    EXPECT_EQ(gpu_.Compare(op, attrs, {input, filter}, tolerance), absl::OkStatus());
    const auto output = gpu_.cpu().Run(op, attrs, {input, filter});
    ASSERT_TRUE(output.ok()) << output.status();
    const Tensor grad = RandomTensor(dtype, output->front().shape(), 3);
    EXPECT_EQ(gpu_.Compare(Cat(op, "BackpropInput"), attrs, {SizesOf(input.shape()), filter, grad},
                           tolerance),
              absl::OkStatus());
    if (dtype == kInt32) return;
    EXPECT_EQ(gpu_.Compare(Cat(op, "BackpropFilter"), attrs, {input, SizesOf(filter_shape), grad},
                           tolerance),
              absl::OkStatus());
  }

  GpuRunner gpu_{RegisterCudaNn};
};

TEST_F(CudaConvTest, ConvolvesInEachTypeLayoutAndPadding) {
  for (const DType dtype : kConvTypes) {
    for (const bool first : {false, true}) {
      for (const ConvCase& c : kConvCases) CompareAll(c, dtype, first, /*depthwise=*/false);
    }
  }
}

TEST_F(CudaConvTest, GivesZerosForSumsOfNothing) {
  const AttrMap attrs = AttrsOf(kConvCases[1], false);
  const Tensor filter = RandomTensor(kFloat, Shape{3, 2, 3, 4}, 1);
  const Tensor none = RandomTensor(kFloat, Shape{0, 5, 7, 3}, 1);
  const Tensor no_grad = RandomTensor(kFloat, Shape{0, 5, 7, 4}, 1);
  EXPECT_EQ(gpu_.Compare("Conv2D", attrs, {none, filter}, 0), absl::OkStatus());
  EXPECT_EQ(
      gpu_.Compare("Conv2DBackpropFilter", attrs, {none, SizesOf(filter.shape()), no_grad}, 0),
      absl::OkStatus());
  EXPECT_EQ(gpu_.Compare("Conv2DBackpropInput", attrs, {SizesOf(none.shape()), filter, no_grad}, 0),
            absl::OkStatus());
}

TEST_F(CudaConvTest, WordsErrorsAsTheCpuDoes) {
  const AttrMap attrs = AttrsOf(kConvCases[1], false);
  const Tensor input = RandomTensor(kFloat, Shape{2, 5, 7, 3}, 1);
  const Tensor wrong = RandomTensor(kFloat, Shape{3, 2, 2, 4}, 1);
  const Tensor matrix = RandomTensor(kFloat, Shape{3, 2}, 1);
  for (const Tensor& filter : {wrong, matrix}) {
    EXPECT_EQ(gpu_.Compare("Conv2D", attrs, {input, filter}, 0), absl::OkStatus());
    EXPECT_FALSE(gpu_.Run("Conv2D", attrs, {input, filter}).ok());
  }
  EXPECT_EQ(
      gpu_.Compare("Conv2DBackpropInput", attrs,
                   {SizesOf(input.shape()), RandomTensor(kFloat, Shape{3, 2, 3, 4}, 1), input}, 0),
      absl::OkStatus());
}

TEST_F(CudaConvTest, ConvolvesDepthwise) {
  for (const DType dtype : kConvTypes) {
    for (const bool first : {false, true}) {
      for (const ConvCase& c : kConvCases) CompareAll(c, dtype, first, /*depthwise=*/true);
    }
  }
}

#ifdef SLUICE_CUDA_DOUBLE
// These control the double of the library.

using ::testing::HasSubstr;

TEST_F(CudaConvTest, ConvolvesIntegersWithoutTheLibrary) {
  const int64_t convolutions = cuda_double::CountLibraryCalls().convolutions;
  for (const bool first : {false, true}) {
    for (const ConvCase& c : kConvCases) CompareAll(c, kInt32, first, /*depthwise=*/false);
  }
  EXPECT_EQ(cuda_double::CountLibraryCalls().convolutions, convolutions);
}

TEST_F(CudaConvTest, ComputesWhatTheLibraryDoesNotSupport) {
  // Shapes that no other test has: algorithms are kept by shape.
  cuda_double::SetUnsupported(true);
  const int64_t convolutions = cuda_double::CountLibraryCalls().convolutions;
  for (const DType dtype : kConvTypes) {
    for (const bool first : {false, true}) {
      for (ConvCase c : kConvCases) {
        c.batch = 3;
        CompareAll(c, dtype, first, /*depthwise=*/false);
      }
    }
  }
  EXPECT_EQ(cuda_double::CountLibraryCalls().convolutions, convolutions);
  cuda_double::SetUnsupported(false);
}

TEST_F(CudaConvTest, TakesDeterministicAlgorithmsAndAsksOnceForAShape) {
  const ConvCase& c = kConvCases[1];
  CompareAll(c, kFloat, false, false);
  const auto& calls = cuda_double::CountLibraryCalls();
  const int64_t lists = calls.algorithm_lists, convolutions = calls.convolutions;
  CompareAll(c, kFloat, false, false);
  EXPECT_EQ(calls.algorithm_lists, lists);
  EXPECT_EQ(calls.convolutions, convolutions + 3);
  EXPECT_EQ(calls.random_algorithms, 0);
}

TEST_F(CudaConvTest, SaysThatCudnnIsMissing) {
  cuda::UseLibraryForTest("cuDNN", nullptr);
  cuda::SetLibraryPath("/nowhere");
  const Tensor input = RandomTensor(kFloat, Shape{1, 5, 7, 3}, 1);
  const Tensor filter = RandomTensor(kFloat, Shape{3, 2, 3, 4}, 1);
  const absl::Status status =
      gpu_.Run("Conv2D", AttrsOf(kConvCases[1], false), {input, filter}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(status.message()), HasSubstr("needs cuDNN 9"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("/nowhere/libcudnn.so.9"));
  cuda::SetLibraryPath("");
}

#endif  // SLUICE_CUDA_DOUBLE

}  // namespace
}  // namespace sluice::kernels
