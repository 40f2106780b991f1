// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "kernels/cuda/quantized/register.h"
#include "tests/kernels/cuda/gpu_runner.h"
#include "tests/kernels/cuda/thread_orders.h"

namespace sluice::kernels {
namespace {

AttrMap Attrs(int64_t bits, bool narrow) { return {{"num_bits", bits}, {"narrow_range", narrow}}; }

TEST(CudaFakeQuantTest, RoundsAsTheCpu) {
  GpuRunner gpu(RegisterCudaQuantized);
  cuda::InEachOrder([&] {
    for (const Shape& shape : {Shape{0, 3}, Shape{1, 3}, Shape{700, 3}}) {
      const Tensor x = RandomTensor(kFloat, shape, 1, -9, 9), g = RandomTensor(kFloat, shape, 2);
      for (const int64_t bits : {2, 8, 16}) {
        AttrMap attrs = Attrs(bits, bits == 8);
        const auto same = [&](const char* op, const std::vector<Tensor>& inputs) {
          EXPECT_EQ(gpu.Compare(op, attrs, inputs, 1e-6), absl::OkStatus()) << op << " " << bits;
        };
        const Tensor low = Tensor::Scalar<float>(-3.3f), high = Tensor::Scalar<float>(5);
        const Tensor lows = Tensor::Vector<float>({-1, 0, 2});
        const Tensor highs = Tensor::Vector<float>({1, 0, 7});
        same("FakeQuantWithMinMaxVars", {x, low, high});
        same("FakeQuantWithMinMaxVarsGradient", {g, x, low, high});
        same("FakeQuantWithMinMaxVarsPerChannel", {x, lows, highs});
        same("FakeQuantWithMinMaxVarsPerChannelGradient", {g, x, lows, highs});
        attrs["min"] = -2.0f;
        attrs["max"] = 6.5f;
        same("FakeQuantWithMinMaxArgs", {x});
        same("FakeQuantWithMinMaxArgsGradient", {g, x});
      }
    }
  });
}

TEST(CudaFakeQuantTest, RefusesWhatTheCpuRefuses) {
  GpuRunner gpu(RegisterCudaQuantized);
  const Tensor x = RandomTensor(kFloat, Shape{2, 3}, 1), two = Tensor::Vector<float>({1, 2});
  const Tensor one = Tensor::Scalar<float>(1);
  for (const char* op : {"FakeQuantWithMinMaxVars", "FakeQuantWithMinMaxVarsPerChannel"}) {
    EXPECT_EQ(gpu.Compare(op, Attrs(8, false), {x, two, two}, 0), absl::OkStatus());
    EXPECT_EQ(gpu.Compare(op, Attrs(17, false), {x, one, one}, 0), absl::OkStatus());
  }
  EXPECT_EQ(gpu.Compare("FakeQuantWithMinMaxVarsGradient", Attrs(8, false), {two, x, one, one}, 0),
            absl::OkStatus());
}

}  // namespace
}  // namespace sluice::kernels
