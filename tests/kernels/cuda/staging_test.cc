// SPDX-License-Identifier: Apache-2.0
// Staging areas whose tuples stay in the memory of a GPU.
#include <gtest/gtest.h>

#include "kernels/cuda/data_flow/register.h"
#include "tests/kernels/cuda/gpu_runner.h"

namespace sluice::kernels {
namespace {

const std::vector<DType> kTypes = {kFloat, kString};
const AttrMap kAttrs{{"dtypes", kTypes}, {"shared_name", std::string("area")}};

void ExpectTuple(const absl::StatusOr<std::vector<Tensor>>& found, size_t first = 0) {
  ASSERT_TRUE(found.ok()) << found.status();
  ASSERT_EQ(found->size(), first + 2);
  EXPECT_EQ((*found)[first].ToString(), "float [2] {1, 2}");
  EXPECT_EQ((*found)[first + 1].scalar<std::string>(), "text");
}

TEST(CudaStagingTest, AnAreaPassesTuples) {
  GpuRunner gpu(RegisterCudaDataFlow);
  const std::vector<Tensor> tuple = {Tensor::Vector<float>({1, 2}),
                                     Tensor::Scalar<std::string>("text")};
  ASSERT_TRUE(gpu.Run("Stage", kAttrs, tuple).ok());
  EXPECT_EQ(gpu.Run("StageSize", kAttrs, {})->at(0).scalar<int32_t>(), 1);
  ExpectTuple(gpu.Run("StagePeek", kAttrs, {Tensor::Scalar<int32_t>(0)}));
  ExpectTuple(gpu.Run("Unstage", kAttrs, {}));
  ASSERT_TRUE(gpu.Run("Stage", kAttrs, tuple).ok());
  ASSERT_TRUE(gpu.Run("StageClear", kAttrs, {}).ok());
  EXPECT_EQ(gpu.Run("StageSize", kAttrs, {})->at(0).scalar<int32_t>(), 0);
}

TEST(CudaStagingTest, AMapPassesTuplesUnderKeys) {
  for (const std::string prefix : {"Map", "OrderedMap"}) {
    GpuRunner gpu(RegisterCudaDataFlow);
    const Tensor key = Tensor::Scalar<int64_t>(7), both = Tensor::Vector<int32_t>({0, 1});
    AttrMap stage = kAttrs;
    stage["fake_dtypes"] = kTypes;
    const std::vector<Tensor> inputs = {key, both, Tensor::Vector<float>({1, 2}),
                                        Tensor::Scalar<std::string>("text")};
    ASSERT_TRUE(gpu.Run(prefix + "Stage", stage, inputs).ok());
    ExpectTuple(gpu.Run(prefix + "Peek", kAttrs, {key, both}));
    EXPECT_EQ(gpu.Run(prefix + "Size", kAttrs, {})->at(0).scalar<int32_t>(), 1);
    ExpectTuple(gpu.Run(prefix + "Unstage", kAttrs, {key, both}));
    ASSERT_TRUE(gpu.Run(prefix + "Stage", stage, inputs).ok());
    const auto any = gpu.Run(prefix + "UnstageNoKey", kAttrs, {both});
    ExpectTuple(any, 1);
    EXPECT_EQ(any->at(0).scalar<int64_t>(), 7);
  }
}

}  // namespace
}  // namespace sluice::kernels
