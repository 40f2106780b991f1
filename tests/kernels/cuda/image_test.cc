// SPDX-License-Identifier: Apache-2.0
// Patches and crops of images.
#include <gtest/gtest.h>

#include "kernels/cuda/image/register.h"
#include "tests/kernels/cuda/gpu_runner.h"
#include "tests/kernels/cuda/thread_orders.h"

namespace sluice::kernels {
namespace {

using Ints = std::vector<int64_t>;

AttrMap Windows(const Ints& sizes, const Ints& strides, const Ints& rates, const char* padding) {
  return {
      {"ksizes", sizes}, {"strides", strides}, {"rates", rates}, {"padding", std::string(padding)}};
}

TEST(CudaPatchesTest, MovesWhatTheCpuMoves) {
  GpuRunner gpu(RegisterCudaImage);
  cuda::InEachOrder([&] {
    for (const DType dtype : {kFloat, kDouble, kHalf, kInt8, kComplex128}) {
      for (const Shape& shape : {Shape{2, 7, 9, 3}, Shape{1, 5, 4, 1}, Shape{0, 5, 5, 2}}) {
        const Tensor x = RandomTensor(dtype, shape, 1);
        for (const char* padding : {"SAME", "VALID"}) {
          for (const AttrMap& attrs : {Windows({1, 3, 2, 1}, {1, 2, 1, 1}, {1, 1, 2, 1}, padding),
                                       Windows({1, 4, 4, 1}, {1, 3, 5, 1}, {1, 1, 1, 1}, padding)})
            EXPECT_EQ(gpu.Compare("ExtractImagePatches", attrs, {x}, 0), absl::OkStatus());
        }
      }
    }
    EXPECT_EQ(gpu.Compare("ExtractVolumePatches",
                          {{"ksizes", Ints{1, 2, 1, 3, 1}},
                           {"strides", Ints{1, 1, 2, 1, 1}},
                           {"padding", std::string("SAME")}},
                          {RandomTensor(kFloat, Shape{2, 3, 4, 5, 2}, 1)}, 0),
              absl::OkStatus());
  });
  const AttrMap large = Windows({1, 9, 9, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}, "VALID");
  for (const Shape& shape : {Shape{1, 3, 3, 1}, Shape{3, 3}})
    EXPECT_EQ(gpu.Compare("ExtractImagePatches", large, {Tensor(kFloat, shape)}, 0),
              absl::OkStatus());
}

// Boxes that lie inside, outside, and upside down.
Tensor Boxes() {
  Tensor boxes(kFloat, Shape{4, 4});
  const float edges[] = {0, 0, 1, 1, 0.25f, 0.1f, 0.75f, 0.6f, -0.5f, 0.5f, 1.5f, 0.2f, 2, 2, 3, 3};
  std::copy_n(edges, 16, boxes.mutable_data<float>());
  return boxes;
}
Tensor Indices() { return Tensor::Vector<int32_t>({1, 0, 1, 0}); }

class CudaCropTest : public testing::TestWithParam<const char*> {
 protected:
  GpuRunner gpu_{RegisterCudaImage};
  AttrMap attrs_{{"method", std::string(GetParam())}, {"extrapolation_value", 7.0f}};
};
INSTANTIATE_TEST_SUITE_P(Methods, CudaCropTest, testing::Values("bilinear", "nearest"));

TEST_P(CudaCropTest, CropsAsTheCpu) {
  cuda::InEachOrder([&] {
    for (const DType dtype : {kFloat, kDouble, kHalf, kBfloat16, kUint8, kInt64}) {
      const Tensor images = RandomTensor(dtype, Shape{2, 6, 5, 3}, 1, -9, 9);
      for (const auto& size : {std::vector<int32_t>{3, 4}, std::vector<int32_t>{1, 1}}) {
        EXPECT_EQ(gpu_.Compare("CropAndResize", attrs_,
                               {images, Boxes(), Indices(), Tensor::Vector<int32_t>(size)}, 0),
                  absl::OkStatus())
            << Name(dtype);
      }
    }
  });
  EXPECT_EQ(gpu_.Compare("CropAndResize", attrs_,
                         {RandomTensor(kFloat, Shape{2, 6, 5}, 1), Boxes(), Indices(),
                          Tensor::Vector<int32_t>({3, 4})},
                         0),
            absl::OkStatus());
}

TEST_P(CudaCropTest, AddsGradientsOfImages) {
  const Tensor grads = RandomTensor(kFloat, Shape{4, 3, 4, 3}, 1);
  const Tensor size = Tensor::Vector<int32_t>({2, 6, 5, 3});
  cuda::InEachOrder([&] {
    for (const auto& [dtype, tolerance] :
         {std::pair{kFloat, 1e-5}, {kDouble, 1e-7}, {kHalf, 4e-3}, {kBfloat16, 3e-2}}) {
      AttrMap attrs{{"method", std::string(GetParam())}, {"T", dtype}};
      EXPECT_EQ(gpu_.Compare("CropAndResizeGradImage", attrs, {grads, Boxes(), Indices(), size},
                             tolerance),
                absl::OkStatus())
          << Name(dtype);
    }
  });
}

TEST_P(CudaCropTest, ABoxOfNoImageIsTheValueOutside) {
  const auto crops = gpu_.Run("CropAndResize", attrs_,
                              {RandomTensor(kFloat, Shape{1, 2, 2, 1}, 1), Boxes().Rows(0, 2),
                               Tensor::Vector<int32_t>({-1, 1}), Tensor::Vector<int32_t>({1, 1})});
  ASSERT_TRUE(crops.ok()) << crops.status();
  EXPECT_EQ(crops->at(0).ToString(), "float [2,1,1,1] {7, 7}");
}

TEST(CudaCropGradBoxesTest, AddsGradientsOfBoxes) {
  GpuRunner gpu(RegisterCudaImage);
  cuda::InEachOrder([&] {
    for (const DType dtype : {kFloat, kDouble, kHalf, kUint8}) {
      const Tensor images = RandomTensor(dtype, Shape{2, 6, 5, 3}, 1, -9, 9);
      for (const Shape& crop : {Shape{4, 3, 4, 3}, Shape{4, 1, 1, 3}, Shape{4, 20, 30, 3}}) {
        EXPECT_EQ(gpu.Compare("CropAndResizeGradBoxes", {},
                              {RandomTensor(kFloat, crop, 2), images, Boxes(), Indices()}, 1e-4),
                  absl::OkStatus())
            << Name(dtype);
      }
    }
  });
}

}  // namespace
}  // namespace sluice::kernels
