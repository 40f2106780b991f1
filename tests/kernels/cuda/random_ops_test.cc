// SPDX-License-Identifier: Apache-2.0
// Random ops on the GPU whose state or weights are in its memory.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/cuda/random/random_fill.h"
#include "kernels/cuda/random/register.h"
#include "tests/kernels/cuda/device_array.h"
#include "tests/kernels/cuda/gpu_runner.h"
#include "tests/kernels/cuda/thread_orders.h"

namespace sluice::kernels {
namespace {

AttrMap Seeds(DType output) {
  return {{"seed", int64_t{7}}, {"seed2", int64_t{9}}, {"output_dtype", output}};
}

TEST(CudaMultinomialTest, DrawsTheCpusClasses) {
  GpuRunner gpu(RegisterCudaRandom);
  cuda::InEachOrder([&] {
    for (const DType dtype : {kFloat, kDouble, kHalf, kBfloat16}) {
      for (const auto& [rows, classes] : {std::pair{1, 1}, {3, 5}, {2, 700}, {0, 4}}) {
        const Tensor logits = RandomTensor(dtype, Shape{rows, classes}, /*seed=*/3, -4, 4);
        for (const int32_t samples : {0, 1, 6, 301}) {
          EXPECT_EQ(gpu.Compare("Multinomial", Seeds(samples == 6 ? kInt32 : kInt64),
                                {logits, Tensor::Scalar<int32_t>(samples)}, 0),
                    absl::OkStatus())
              << Name(dtype) << " " << rows << " " << classes << " " << samples;
        }
      }
    }
  });
}

TEST(CudaMultinomialTest, NeverDrawsLogitsThatAreNotFinite) {
  GpuRunner gpu(RegisterCudaRandom);
  const float inf = HUGE_VALF;
  Tensor logits(kFloat, Shape{2, 4});
  std::copy_n(std::initializer_list<float>{-inf, 1, NAN, 2, inf, -inf, 0, NAN}.begin(), 8,
              logits.mutable_data<float>());
  const Tensor seed = Tensor::Vector<int64_t>({1, 2});
  EXPECT_EQ(gpu.Compare("StatelessMultinomial", {{"output_dtype", kInt64}},
                        {logits, Tensor::Scalar<int32_t>(50), seed}, 0),
            absl::OkStatus());
}

TEST(CudaMultinomialTest, RefusesWhatTheCpuRefuses) {
  GpuRunner gpu(RegisterCudaRandom);
  for (const Shape& shape : {Shape{3}, Shape{2, 0}, Shape{2, 2}}) {
    EXPECT_EQ(gpu.Compare("Multinomial", Seeds(kInt64),
                          {Tensor(kFloat, shape), Tensor::Scalar<int32_t>(-1)}, 0),
              absl::OkStatus());
  }
}

TEST(CudaGeneratorTest, TakesBlocksWithACarry) {
  const Philox before(5, ~uint64_t{0} - 2, 7);
  cuda::DeviceArray<int64_t> state(std::vector<int64_t>{-3, 7, 5, 99});
  cuda::DeviceArray<uint64_t> taken(sizeof(Philox) / sizeof(uint64_t));
  auto* const position = reinterpret_cast<Philox*>(taken.data());
  ASSERT_EQ(cuda::LaunchTakeBlocks(state.data(), 5, position, nullptr), cudaSuccess);
  cuda::DeviceArray<float> drawn(10), wanted(10);
  ASSERT_EQ(cuda::LaunchRandomFill(RandomDistribution::kUniform, cuda::Element::kFloat,
                                   cuda::StreamPosition(position), drawn.data(), 10, nullptr),
            cudaSuccess);
  ASSERT_EQ(cuda::LaunchRandomFill(RandomDistribution::kUniform, cuda::Element::kFloat, before,
                                   wanted.data(), 10, nullptr),
            cudaSuccess);
  EXPECT_EQ(drawn.Read(), wanted.Read());
  EXPECT_EQ(state.Read(), (std::vector<int64_t>{2, 8, 5, 99}));
  ASSERT_EQ(cuda::LaunchTakeBlocks(state.data(), 1, nullptr, nullptr), cudaSuccess);
  EXPECT_EQ(state.Read(), (std::vector<int64_t>{3, 8, 5, 99}));
}

}  // namespace
}  // namespace sluice::kernels
