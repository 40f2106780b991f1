// SPDX-License-Identifier: Apache-2.0
// InplaceUpdate, InplaceAdd, InplaceSub, TileGrad and ConjugateTranspose.
#include <gtest/gtest.h>

#include "kernels/cuda/array/register.h"
#include "tests/kernels/cuda/gpu_runner.h"
#include "tests/kernels/cuda/thread_orders.h"

namespace sluice::kernels {
namespace {

// The GPU first: the CPU's kernel writes into x.
void ExpectSameUpdate(GpuRunner& gpu, const char* op, const std::vector<Tensor>& inputs) {
  const auto found = gpu.Run(op, {}, inputs), expected = gpu.cpu().Run(op, {}, inputs);
  ASSERT_TRUE(found.ok() && expected.ok()) << found.status() << expected.status();
  EXPECT_EQ(SameTensor(found->at(0), expected->at(0), 0), absl::OkStatus())
      << op << " " << inputs[0].shape().ToString() << " " << Name(inputs[0].dtype());
}

TEST(CudaInplaceTest, MeetsRowsInOrder) {
  GpuRunner gpu(RegisterCudaArray);
  const Tensor rows = Tensor::Vector<int32_t>({2, -1, 2, 7, 0});
  cuda::InEachOrder([&] {
    for (const char* op : {"InplaceUpdate", "InplaceAdd", "InplaceSub"}) {
      for (const DType dtype : {kFloat, kDouble, kHalf, kInt64, kInt32, kComplex128}) {
        for (const int64_t width : {0, 1, 300}) {
          const Tensor x = RandomTensor(dtype, Shape{4, width}, /*seed=*/1);
          const Tensor v = RandomTensor(dtype, Shape{5, width}, /*seed=*/2);
          ExpectSameUpdate(gpu, op, {x, rows, v});
        }
      }
    }
    Tensor flags(kBool, Shape{4}), more(kBool, Shape{5});
    std::fill_n(flags.mutable_data<bool>(), 4, true);
    std::fill_n(more.mutable_data<bool>(), 5, false);
    ExpectSameUpdate(gpu, "InplaceUpdate", {flags, rows, more});
  });
}

TEST(CudaInplaceTest, RefusesWhatTheCpuRefuses) {
  GpuRunner gpu(RegisterCudaArray);
  const Tensor one = Tensor::Vector<int32_t>({0});
  const Tensor v = RandomTensor(kFloat, Shape{1, 2}, 1);
  for (const Shape& shape : {Shape{}, Shape{2}, Shape{3, 3}, Shape{0, 2}}) {
    EXPECT_EQ(gpu.Compare("InplaceAdd", {}, {RandomTensor(kFloat, shape, 1), one, v}, 0),
              absl::OkStatus());
  }
  EXPECT_EQ(gpu.Compare("InplaceAdd", {}, {v, Tensor::Vector<int32_t>({0, 0}), v}, 0),
            absl::OkStatus());
}

TEST(CudaTileGradTest, SumsTheCopies) {
  GpuRunner gpu(RegisterCudaArray);
  const struct {
    Shape shape;
    std::vector<int32_t> multiples;
  } cases[] = {{Shape{6, 4, 5}, {3, 1, 5}},
               {Shape{2, 900}, {2, 3}},
               {Shape{4}, {4}},
               {Shape{0, 6}, {1, 2}},
               {Shape{}, {}},
               {Shape{6}, {4}},
               {Shape{6}, {0}},
               {Shape{6, 2}, {2}}};
  const std::pair<DType, double> types[] = {
      {kFloat, 1e-5}, {kDouble, 1e-13}, {kHalf, 1e-2}, {kInt64, 0}, {kComplex64, 1e-5}};
  cuda::InEachOrder([&] {
    for (const auto& [shape, multiples] : cases) {
      const Tensor by = Tensor::Vector<int32_t>(multiples);
      for (const auto& [dtype, tolerance] : types) {
        EXPECT_EQ(gpu.Compare("TileGrad", {}, {RandomTensor(dtype, shape, 1), by}, tolerance),
                  absl::OkStatus())
            << Name(dtype) << " " << shape.ToString();
      }
    }
  });
}

TEST(CudaTransposeTest, ConjugatesComplexElements) {
  GpuRunner gpu(RegisterCudaArray);
  for (const DType dtype : {kComplex64, kComplex128, kFloat}) {
    for (const auto& order : {std::vector<int32_t>{1, 0}, std::vector<int32_t>{0, 1}}) {
      const Tensor x = RandomTensor(dtype, Shape{3, 50}, 1), perm = Tensor::Vector<int32_t>(order);
      EXPECT_EQ(gpu.Compare("ConjugateTranspose", {}, {x, perm}, 0), absl::OkStatus());
    }
  }
}

}  // namespace
}  // namespace sluice::kernels
