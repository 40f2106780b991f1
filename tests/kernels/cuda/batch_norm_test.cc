// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "kernels/cuda/nn/register.h"
#include "tests/kernels/cuda/gpu_runner.h"

namespace sluice::kernels {
namespace {

double ToleranceOf(DType dtype) {
  if (dtype == kHalf) return 4e-3;
  return dtype == kBfloat16 ? 3e-2 : 3e-5;
}

class CudaBatchNormTest : public ::testing::Test {
 protected:
  // Both forms on both devices.
  void CompareAll(const char* version, DType dtype, const Shape& shape, AttrMap attrs) {
    const bool first = *GetAttr<std::string>(attrs, "data_format") == "NCHW" ||
                       *GetAttr<std::string>(attrs, "data_format") == "NCDHW";
    const Shape channels{shape.dim(first ? 1 : shape.rank() - 1)};
    const Tensor x = RandomTensor(dtype, shape, 1), dy = RandomTensor(dtype, shape, 2);
    const Tensor scale = RandomTensor(kFloat, channels, 3);
    const Tensor offset = RandomTensor(kFloat, channels, 4);
    const Tensor mean = RandomTensor(kFloat, channels, 5);
    const Tensor variance = RandomTensor(kFloat, channels, 6, 0.5, 2);
    const double tolerance = ToleranceOf(dtype);
    EXPECT_EQ(gpu_.Compare(Cat("FusedBatchNorm", version), attrs,
                           {x, scale, offset, mean, variance}, tolerance),
              absl::OkStatus());
    attrs.erase("exponential_avg_factor");
    std::vector<Tensor> inputs{dy, x, scale, mean, variance};
    if (absl::string_view(version) == "V3") inputs.push_back(Tensor::Vector<float>({0}));
    EXPECT_EQ(gpu_.Compare(Cat("FusedBatchNormGrad", version), attrs, inputs, 4 * tolerance),
              absl::OkStatus());
  }

  GpuRunner gpu_{RegisterCudaNn};
};

TEST_F(CudaBatchNormTest, NormalizesInEachVersionTypeAndLayout) {
  const Shape shapes[] = {Shape{2, 3, 4, 5}, Shape{1, 1, 1, 1}, Shape{3, 12, 9, 33},
                          Shape{0, 2, 3, 2}};
  for (const char* version : {"", "V2", "V3"}) {
    for (const DType dtype : {kHalf, kBfloat16, kFloat}) {
      if (*version == '\0' && dtype != kFloat) continue;
      for (const Shape& shape : shapes) {
        for (const bool training : {false, true}) {
          const float factor = training && dtype == kFloat ? 0.25f : 1.0f;
          for (const char* format : {"NHWC", "NCHW"}) {
            SCOPED_TRACE(Cat(version, " ", Name(dtype), " ", shape, " ", training, " ", format));
            CompareAll(version, dtype, shape,
                       {{"is_training", training},
                        {"epsilon", 1e-3f},
                        {"exponential_avg_factor", factor},
                        {"data_format", std::string(format)}});
          }
        }
      }
    }
  }
}

TEST_F(CudaBatchNormTest, NormalizesVolumes) {
  for (const char* format : {"NDHWC", "NCDHW"}) {
    CompareAll("V3", kFloat, Shape{2, 3, 2, 4, 3},
               {{"is_training", true}, {"data_format", std::string(format)}});
  }
}

TEST_F(CudaBatchNormTest, WordsErrorsAsTheCpuDoes) {
  const Tensor x = RandomTensor(kFloat, Shape{2, 3, 4, 5}, 1);
  const Tensor four = RandomTensor(kFloat, Shape{4}, 1), five = RandomTensor(kFloat, Shape{5}, 1);
  EXPECT_EQ(gpu_.Compare("FusedBatchNorm", {}, {x, four, five, five, five}, 0), absl::OkStatus());
  EXPECT_EQ(gpu_.Compare("FusedBatchNorm", {}, {four, five, five, five, five}, 0),
            absl::OkStatus());
  EXPECT_EQ(gpu_.Compare("FusedBatchNormGrad", {}, {x, four, five, five, five}, 0),
            absl::OkStatus());
}

}  // namespace
}  // namespace sluice::kernels
