// SPDX-License-Identifier: Apache-2.0
#include "core/device/cuda_launch.h"

#include <gtest/gtest.h>

#include "kernels/cuda/common/reduce.h"
#include "kernels/cuda/common/reduce_block.h"
#include "kernels/cuda/nn/batch_norm.h"

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

// A grid has at most 2^31 - 1 blocks in x and 65,535 in y.
TEST(CudaLaunchTest, GridsStayWithinTheLimitsForTheLargestTensors) {
  constexpr int64_t kMostX = (int64_t{1} << 31) - 1, kMostY = 65'535;
  for (const int64_t n : {int64_t{1} << 31, (int64_t{1} << 31) + 1, int64_t{1} << 37}) {
    EXPECT_LE(int64_t{BlocksFor(n).grid.x}, kMostX) << n;
    EXPECT_GT(BlocksFor(n).grid.x, 0u) << n;
    for (const int64_t kept : {int64_t{1}, int64_t{3}, n / 1024, n / 2, n}) {
      const int64_t sizes[] = {kept, n / kept};
      for (const bool rows : {false, true}) {
        const bool reduced[] = {!rows, rows};
        const ReduceShape shape = ReduceShape::Of(2, sizes, reduced);
        const int64_t slots = kReduceThreads / shape.lanes;
        EXPECT_LE((shape.outputs + slots - 1) / slots, kMostX) << n << " " << kept;
        EXPECT_LE(shape.parts, kMostY) << n << " " << kept;
      }
    }
    BatchNormShape batch{};
    batch.rows = n;
    EXPECT_LE(batch.chunks(), kMostY) << n;
  }
}

}  // namespace
}  // namespace sluice::cuda
