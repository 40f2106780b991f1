// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>

#include "kernels/cuda/nn/register.h"
#include "tests/kernels/cuda/gpu_runner.h"

namespace sluice::kernels {
namespace {

struct PoolCase {
  int64_t batch, height, width, channels, kernel_h, kernel_w, stride_h, stride_w;
  const char* padding;
};

const PoolCase kPoolCases[] = {
    {1, 1, 1, 1, 1, 1, 1, 1, "VALID"}, {2, 5, 7, 3, 2, 2, 2, 2, "VALID"},
    {2, 5, 7, 3, 3, 2, 2, 1, "SAME"},  {1, 6, 4, 5, 3, 3, 1, 1, "SAME"},
    {2, 9, 9, 1, 2, 3, 4, 5, "SAME"},  {1, 2, 2, 2, 3, 3, 1, 1, "VALID"},
    {0, 4, 4, 2, 2, 2, 2, 2, "VALID"}, {1, 8, 3, 2, 7, 1, 1, 1, "SAME"},
};

double ToleranceOf(DType dtype) {
  switch (dtype) {
    case kHalf:
      return 4e-3;
    case kBfloat16:
      return 4e-2;
    case kFloat:
      return 1e-5;
    default:
      return 1e-12;
  }
}

std::vector<int64_t> InLayout(bool first, int64_t n, int64_t h, int64_t w, int64_t c) {
  return first ? std::vector<int64_t>{n, c, h, w} : std::vector<int64_t>{n, h, w, c};
}
Tensor IntsOf(absl::Span<const int64_t> values) {
  return Tensor::Vector<int32_t>(std::vector<int32_t>(values.begin(), values.end()));
}

AttrMap AttrsOf(const PoolCase& c, bool first) {
  return {{"data_format", std::string(first ? "NCHW" : "NHWC")},
          {"padding", std::string(c.padding)},
          {"ksize", InLayout(first, 1, c.kernel_h, c.kernel_w, 1)},
          {"strides", InLayout(first, 1, c.stride_h, c.stride_w, 1)}};
}

class CudaPoolTest : public ::testing::Test {
 protected:
  Tensor Images(const PoolCase& c, DType dtype, bool first) {
    // Few values: equal maxima are frequent.
    return RandomTensor(
        dtype, *Shape::Create(InLayout(first, c.batch, c.height, c.width, c.channels)), 1, -4, 4);
  }
  Shape Pooled(const PoolCase& c, bool first) {
    const auto out = gpu_.cpu().Run("AvgPool", AttrsOf(c, first), {Images(c, kFloat, first)});
    EXPECT_TRUE(out.ok()) << out.status();
    return out->front().shape();
  }
  void Expect(absl::string_view op, const AttrMap& attrs, const std::vector<Tensor>& inputs,
              double tolerance) {
    EXPECT_EQ(gpu_.Compare(op, attrs, inputs, tolerance), absl::OkStatus()) << op;
  }

  GpuRunner gpu_{RegisterCudaNn};
};

TEST_F(CudaPoolTest, TakesAveragesAndTheirGradients) {
  for (const DType dtype : {kHalf, kBfloat16, kFloat, kDouble}) {
    for (const bool first : {false, true}) {
      for (const PoolCase& c : kPoolCases) {
        SCOPED_TRACE(Cat(Name(dtype), first ? " NCHW" : " NHWC", " case ", &c - kPoolCases));
        const AttrMap attrs = AttrsOf(c, first);
        const Tensor images = Images(c, dtype, first);
        Expect("AvgPool", attrs, {images}, ToleranceOf(dtype));
        Expect("AvgPoolGrad", attrs,
               {IntsOf(images.shape().dims()), RandomTensor(dtype, Pooled(c, first), 2)},
               ToleranceOf(dtype));
      }
    }
  }
}

TEST_F(CudaPoolTest, TakesMaximaAndTheirGradients) {
  const DType types[] = {kHalf,  kBfloat16, kFloat, kDouble, kInt8,
                         kInt16, kInt32,    kInt64, kUint8,  kUint16};
  for (const DType dtype : types) {
    for (const bool first : {false, true}) {
      for (const PoolCase& c : kPoolCases) {
        SCOPED_TRACE(Cat(Name(dtype), first ? " NCHW" : " NHWC", " case ", &c - kPoolCases));
        const AttrMap attrs = AttrsOf(c, first);
        const Tensor images = Images(c, dtype, first);
        const auto max = gpu_.cpu().Run("MaxPool", attrs, {images});
        ASSERT_TRUE(max.ok()) << max.status();
        const Tensor grad = RandomTensor(dtype, max->front().shape(), 2);
        Expect("MaxPool", attrs, {images}, 0);
        Expect("MaxPoolGrad", attrs, {images, max->front(), grad}, ToleranceOf(dtype));
        Expect("MaxPoolGradGrad", attrs,
               {images, max->front(), RandomTensor(dtype, images.shape(), 3)}, 0);
      }
    }
  }
}

TEST_F(CudaPoolTest, ReadsWindowsFromInputs) {
  const PoolCase& c = kPoolCases[2];
  const Tensor images = Images(c, kFloat, false);
  const Tensor k = IntsOf({1, 3, 2, 1}), s = IntsOf({1, 2, 1, 1});
  const AttrMap attrs{{"padding", std::string("SAME")}};
  Expect("MaxPoolV2", attrs, {images, k, s}, 0);
  const Tensor max = gpu_.cpu().Run("MaxPoolV2", attrs, {images, k, s})->front();
  Expect("MaxPoolGradV2", attrs, {images, max, RandomTensor(kFloat, max.shape(), 2), k, s}, 1e-5);
  Expect("MaxPoolGradGradV2", attrs, {images, max, RandomTensor(kFloat, images.shape(), 2), k, s},
         0);
}

TEST_F(CudaPoolTest, SkipsNanAndKeepsInfinities) {
  Tensor images = RandomTensor(kFloat, Shape{1, 4, 4, 2}, 1);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  for (int i : {0, 5, 9, 20}) images.mutable_data<float>()[i] = nan;
  for (int i : {2, 11}) images.mutable_data<float>()[i] = infinity;
  for (int i : {24, 26, 30, 28}) images.mutable_data<float>()[i] = -infinity;
  const AttrMap attrs = AttrsOf({1, 4, 4, 2, 2, 2, 2, 2, "VALID"}, false);
  Expect("MaxPool", attrs, {images}, 0);
  const Tensor max = gpu_.cpu().Run("MaxPool", attrs, {images})->front();
  Expect("MaxPoolGrad", attrs, {images, max, RandomTensor(kFloat, max.shape(), 2)}, 0);
}

TEST_F(CudaPoolTest, PoolsOverChannels) {
  for (const bool first : {false, true}) {
    const Tensor images = RandomTensor(kFloat, *Shape::Create(InLayout(first, 2, 3, 4, 6)), 1);
    const AttrMap attrs{{"data_format", std::string(first ? "NCHW" : "NHWC")},
                        {"padding", std::string("VALID")},
                        {"ksize", InLayout(first, 1, 1, 1, 3)},
                        {"strides", InLayout(first, 1, 1, 1, 3)}};
    Expect("MaxPool", attrs, {images}, 0);
    const Tensor max = gpu_.cpu().Run("MaxPool", attrs, {images})->front();
    Expect("MaxPoolGrad", attrs, {images, max, RandomTensor(kFloat, max.shape(), 2)}, 0);
  }
}

TEST_F(CudaPoolTest, FindsPlacesOfMaximaAndScattersToThem) {
  const PoolCase& c = kPoolCases[3];
  for (const DType dtype : {kHalf, kBfloat16, kFloat, kDouble}) {
    for (const DType index : {kInt32, kInt64}) {
      for (const bool include_batch : {false, true}) {
        AttrMap attrs = AttrsOf(c, false);
        attrs.erase("data_format");
        attrs["Targmax"] = index;
        attrs["include_batch_in_index"] = include_batch;
        const Tensor images = Images({2, 6, 4, 5, 3, 3, 1, 1, "SAME"}, dtype, false);
        Expect("MaxPoolWithArgmax", attrs, {images}, 0);
        const auto max = gpu_.cpu().Run("MaxPoolWithArgmax", attrs, {images});
        ASSERT_TRUE(max.ok()) << max.status();
        Expect("MaxPoolGradWithArgmax", attrs,
               {images, RandomTensor(dtype, images.shape(), 2), (*max)[1]}, 2 * ToleranceOf(dtype));
      }
    }
  }
}

TEST_F(CudaPoolTest, DropsPlacesOutOfRange) {
  AttrMap attrs = AttrsOf({1, 2, 2, 1, 1, 1, 1, 1, "VALID"}, false);
  attrs.erase("data_format");
  const Tensor images = RandomTensor(kFloat, Shape{1, 2, 2, 1}, 1);
  Tensor grad = RandomTensor(kFloat, Shape{1, 2, 2, 1}, 1), places(kInt64, Shape{1, 2, 2, 1});
  for (int i = 0; i < 4; ++i) {
    grad.mutable_data<float>()[i] = static_cast<float>(i + 1);
    places.mutable_data<int64_t>()[i] = int64_t{i} * 3 - 3;
  }
  const auto out = gpu_.Run("MaxPoolGradWithArgmax", attrs, {images, grad, places});
  ASSERT_TRUE(out.ok()) << out.status();
  const auto found = out->front().flat<float>();
  EXPECT_EQ(std::vector<float>(found.begin(), found.end()), (std::vector<float>{2, 0, 0, 3}));
}

TEST_F(CudaPoolTest, PoolsVolumes) {
  for (const bool first : {false, true}) {
    const auto layout = [first](int64_t n, int64_t d, int64_t h, int64_t w, int64_t c) {
      return first ? std::vector<int64_t>{n, c, d, h, w} : std::vector<int64_t>{n, d, h, w, c};
    };
    const AttrMap attrs{{"data_format", std::string(first ? "NCDHW" : "NDHWC")},
                        {"padding", std::string("SAME")},
                        {"ksize", layout(1, 2, 3, 2, 1)},
                        {"strides", layout(1, 2, 2, 1, 1)}};
    for (const DType dtype : {kHalf, kBfloat16, kFloat}) {
      const Tensor images = RandomTensor(dtype, *Shape::Create(layout(2, 4, 5, 3, 2)), 1);
      Expect("MaxPool3D", attrs, {images}, 0);
      Expect("AvgPool3D", attrs, {images}, ToleranceOf(dtype));
      const Tensor max = gpu_.cpu().Run("MaxPool3D", attrs, {images})->front();
      const Tensor grad = RandomTensor(dtype, max.shape(), 2);
      Expect("MaxPool3DGrad", attrs, {images, max, grad}, 2 * ToleranceOf(dtype));
      Expect("MaxPool3DGradGrad", attrs, {images, max, RandomTensor(dtype, images.shape(), 3)}, 0);
      Expect("AvgPool3DGrad", attrs, {IntsOf(images.shape().dims()), grad}, 2 * ToleranceOf(dtype));
    }
  }
}

TEST_F(CudaPoolTest, WordsErrorsAsTheCpuDoes) {
  const AttrMap attrs = AttrsOf(kPoolCases[1], false);
  const Tensor matrix = RandomTensor(kFloat, Shape{2, 3}, 1);
  const Tensor images = Images(kPoolCases[1], kFloat, false);
  for (const char* op : {"AvgPool", "MaxPool"}) Expect(op, attrs, {matrix}, 0);
  Expect("MaxPoolGrad", attrs, {images, images, images}, 0);
  Expect("AvgPoolGrad", attrs, {IntsOf({2, 5, 7}), images}, 0);
  Expect("AvgPoolGrad", attrs, {IntsOf({2, 5, 7, 3}), images}, 0);
}

}  // namespace
}  // namespace sluice::kernels
