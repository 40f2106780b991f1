// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "kernels/cuda/sparse/register.h"
#include "tests/kernels/cuda/gpu_runner.h"
#include "tests/kernels/cuda/thread_orders.h"

namespace sluice::kernels {
namespace {

// Pairs of indices into a matrix; some are the same.
template <typename I>
Tensor Pairs(const Shape& a, int64_t count) {
  Tensor pairs(kDTypeOf<I>, Shape{count, 2});
  for (int64_t i = 0; i < count; ++i) {
    pairs.mutable_data<I>()[2 * i] = static_cast<I>(i * 7 % a.dim(0));
    pairs.mutable_data<I>()[2 * i + 1] = static_cast<I>(i * 5 % a.dim(1));
  }
  return pairs;
}

TEST(CudaSparseMatMulTest, ComputesWhatTheCpuComputes) {
  GpuRunner gpu(RegisterCudaSparse);
  const std::pair<DType, double> types[] = {
      {kFloat, 1e-5}, {kDouble, 1e-13}, {kHalf, 4e-3}, {kBfloat16, 3e-2}, {kComplex64, 1e-5}};
  cuda::InEachOrder([&] {
    for (const auto& [dtype, tolerance] : types) {
      for (const int64_t count : {0, 1, 40}) {
        for (int adjoint = 0; adjoint < 4; ++adjoint) {
          const bool of_a = (adjoint & 1) != 0, of_b = (adjoint & 2) != 0;
          const Shape a = of_a ? Shape{6, 4} : Shape{4, 6}, b = of_b ? Shape{30, 6} : Shape{6, 30};
          const Tensor pairs = count == 1 ? Pairs<int32_t>(a, count) : Pairs<int64_t>(a, count);
          const Tensor values = RandomTensor(dtype, Shape{count}, 1);
          const Tensor shape = Tensor::Vector<int64_t>({a.dim(0), a.dim(1)});
          EXPECT_EQ(
              gpu.Compare("SparseTensorDenseMatMul", {{"adjoint_a", of_a}, {"adjoint_b", of_b}},
                          {pairs, values, shape, RandomTensor(dtype, b, 2)}, tolerance),
              absl::OkStatus())
              << Name(dtype) << " " << count << " " << adjoint;
        }
      }
    }
  });
}

TEST(CudaSparseMatMulTest, DropsValuesOutOfRange) {
  GpuRunner gpu(RegisterCudaSparse);
  Tensor pairs(kInt64, Shape{3, 2});
  const int64_t indices[] = {0, 2, -1, 0, 1, 1};
  std::copy_n(indices, 6, pairs.mutable_data<int64_t>());
  Tensor b(kFloat, Shape{2, 1});
  b.mutable_data<float>()[0] = 3;
  b.mutable_data<float>()[1] = 5;
  const auto product =
      gpu.Run("SparseTensorDenseMatMul", {{"adjoint_a", false}, {"adjoint_b", false}},
              {pairs, Tensor::Vector<float>({1, 1, 2}), Tensor::Vector<int64_t>({2, 2}), b});
  ASSERT_TRUE(product.ok()) << product.status();
  EXPECT_EQ(product->at(0).ToString(), "float [2,1] {0, 10}");
}

TEST(CudaSparseMatMulTest, RefusesWhatTheCpuRefuses) {
  GpuRunner gpu(RegisterCudaSparse);
  const AttrMap attrs{{"adjoint_a", false}, {"adjoint_b", false}};
  const Tensor pairs = Pairs<int64_t>(Shape{2, 2}, 3), values = RandomTensor(kFloat, Shape{3}, 1);
  const Tensor b = RandomTensor(kFloat, Shape{2, 2}, 2), shape = Tensor::Vector<int64_t>({2, 2});
  const std::vector<std::vector<Tensor>> cases = {
      {pairs, values, shape, values},
      {pairs, values, Tensor::Vector<int64_t>({2}), b},
      {pairs, values, Tensor::Vector<int64_t>({2, 3}), b},
      {pairs, RandomTensor(kFloat, Shape{2}, 1), shape, b},
      {Pairs<int64_t>(Shape{2, 2}, 2), values, shape, b}};
  for (const std::vector<Tensor>& inputs : cases)
    EXPECT_EQ(gpu.Compare("SparseTensorDenseMatMul", attrs, inputs, 0), absl::OkStatus());
}

}  // namespace
}  // namespace sluice::kernels
