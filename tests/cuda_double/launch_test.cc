// SPDX-License-Identifier: Apache-2.0
#include "core/device/cuda_launch.h"

#include <gtest/gtest.h>

namespace sluice::cuda {
namespace {

TEST(CudaLaunchTest, BlocksCoverSmallArraysAndBoundLargeOnes) {
  EXPECT_EQ(BlocksFor(0).grid.x, 0u);
  EXPECT_EQ(BlocksFor(1).grid.x, 1u);
  EXPECT_EQ(BlocksFor(256).grid.x, 1u);
  EXPECT_EQ(BlocksFor(257).grid.x, 2u);
  EXPECT_EQ(BlocksFor(int64_t{1} << 40).grid.x, 32u * 132u);
  EXPECT_EQ(BlocksFor(1000, 128).block.x, 128u);
}

}  // namespace
}  // namespace sluice::cuda
