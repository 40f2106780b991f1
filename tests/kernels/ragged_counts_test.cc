// SPDX-License-Identifier: Apache-2.0
// Counts of the values of ragged tensors whose splits or values are at the limits of int64.
#include <gtest/gtest.h>

#include <cstdint>

#include "tests/kernels/kernel_runner.h"

namespace sluice::kernels {
namespace {

Tensor Ints(const std::vector<int64_t>& values) { return Tensor::Vector<int64_t>(values); }

TEST(RaggedCountsTest, RefusesSplitsBeyondTheValuesBeforeItAllocates) {
  const Tensor splits = Ints({0, int64_t{1} << 60, 3}), values = Ints({1, 2, 3});
  const auto binned = RunOp("RaggedBincount", {{"binary_output", false}},
                            {splits, values, Tensor::Scalar<int64_t>(4), Ints({})});
  EXPECT_TRUE(absl::IsInvalidArgument(binned.status())) << binned.status();
  const auto counted =
      RunOp("RaggedCountSparseOutput",
            {{"minlength", int64_t{-1}}, {"maxlength", int64_t{-1}}, {"binary_output", false}},
            {splits, values, Ints({})});
  EXPECT_TRUE(absl::IsInvalidArgument(counted.status())) << counted.status();
}

TEST(RaggedCountsTest, CountsTheLargestValue) {
  const auto counted =
      RunOp("RaggedCountSparseOutput",
            {{"minlength", int64_t{-1}}, {"maxlength", int64_t{-1}}, {"binary_output", false}},
            {Ints({0, 1}), Ints({INT64_MAX}), Ints({})});
  ASSERT_TRUE(counted.ok()) << counted.status();
  EXPECT_EQ((*counted)[0].data<int64_t>()[1], INT64_MAX);
}

}  // namespace
}  // namespace sluice::kernels
