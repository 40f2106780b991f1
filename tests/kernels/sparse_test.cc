// SPDX-License-Identifier: Apache-2.0
// Tests that a comparison with TensorFlow cannot do: damaged bytes, handles that no longer exist,
// weights that are not a distribution.
#include <gtest/gtest.h>

#include <limits>

#include "kernels/cpu/random/id_sampler.h"
#include "tests/kernels/kernel_runner.h"

namespace sluice::kernels {
namespace {

Tensor Longs(const Shape& shape, std::vector<int64_t> values) {
  return Tensor::Of<int64_t>(shape, values);
}

TEST(SparseTest, DamagedBytesAreAnError) {
  const std::vector<std::string> garbage = {"\xff\xff\xff", "", "x"};
  auto result = RunOp("DeserializeSparse", {{"dtype", kFloat}, {"Tserialized", kString}},
                      {Tensor::Vector<std::string>(garbage)});
  EXPECT_EQ(result.status().code(), absl::StatusCode::kInvalidArgument) << result.status();
}

TEST(SparseTest, AHandleIsTakenOnce) {
  KernelRunner runner;
  auto add = runner.Make("AddSparseToTensorsMap", {{"shared_name", "m"}, {"T", kFloat}},
                         {kInt64, kFloat, kInt64});
  auto take = runner.Make("TakeManySparseFromTensorsMap", {{"shared_name", "m"}, {"dtype", kFloat}},
                          {kInt64});
  ASSERT_TRUE(add.ok() && take.ok()) << add.status() << take.status();
  const std::vector<float> value = {5};
  auto handle =
      runner.Run(*add, {Longs({1, 1}, {2}), Tensor::Vector<float>(value), Longs({1}, {4})});
  ASSERT_TRUE(handle.ok()) << handle.status();
  const int64_t number = (*handle)[0].scalar<int64_t>();
  // Twice in one call: neither is taken.
  EXPECT_FALSE(runner.Run(*take, {Longs({2}, {number, number})}).ok());
  auto taken = runner.Run(*take, {Longs({1}, {number})});
  ASSERT_TRUE(taken.ok()) << taken.status();
  EXPECT_EQ(SameTensor((*taken)[0], Longs({1, 2}, {0, 2})), absl::OkStatus());
  EXPECT_FALSE(runner.Run(*take, {Longs({1}, {number})}).ok());
}

TEST(IdSamplerTest, WeightsMustBeADistribution) {
  EXPECT_FALSE(WeightedIds({}).ok());
  EXPECT_FALSE(WeightedIds({0, 0}).ok());
  EXPECT_FALSE(WeightedIds({1, -1}).ok());
  EXPECT_FALSE(WeightedIds({1, std::numeric_limits<float>::infinity()}).ok());
  EXPECT_FALSE(WeightedIds({1, std::numeric_limits<float>::quiet_NaN()}).ok());
}

TEST(IdSamplerTest, LearnedIdsAreDrawnMoreOften) {
  auto ids = LearnedIds(10);
  ASSERT_TRUE(ids.ok());
  (*ids)->Learn(std::vector<int64_t>(990, 7));
  EXPECT_FLOAT_EQ((*ids)->Probability(7), 0.991f);
  PhiloxWords words(Philox(1, 2), 0);
  int seven = 0;
  for (int i = 0; i < 1000; ++i) {
    const int64_t id = (*ids)->Draw(words);
    ASSERT_TRUE(id >= 0 && id < 10);
    seven += id == 7 ? 1 : 0;
  }
  EXPECT_GT(seven, 970);
}

}  // namespace
}  // namespace sluice::kernels
