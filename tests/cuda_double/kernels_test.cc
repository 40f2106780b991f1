// SPDX-License-Identifier: Apache-2.0
// Kernels run on the double as they are written, in any order of blocks and threads.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "tests/cuda_double/device_test.h"
#include "tests/cuda_double/sample_kernels.h"

namespace sluice::cuda_double {
namespace {

class KernelsTest : public DeviceTest {
 protected:
  void TearDown() override {
    EXPECT_THAT(Reports(), testing::IsEmpty());
    DeviceTest::TearDown();
  }
};

std::vector<float> Numbers(size_t n) {
  std::vector<float> values(n);
  for (size_t i = 0; i < n; ++i) values[i] = std::sin(static_cast<float>(i)) * 5;
  return values;
}

TEST_F(KernelsTest, ScaleRunsOverAMillionElements) {
  const std::vector<float> x = Numbers(1000003);
  const DeviceArray<float> in(x), out(x.size());
  ASSERT_EQ(LaunchScale(in.data(), 2, 1, out.data(), static_cast<int64_t>(x.size()), stream_),
            cudaSuccess);
  ASSERT_EQ(Wait(), cudaSuccess);
  const std::vector<float> got = out.Get();
  for (size_t i = 0; i < x.size(); ++i) ASSERT_EQ(got[i], 2 * x[i] + 1) << i;
}

TEST_F(KernelsTest, AnEmptyGridIsNotLaunched) {
  EXPECT_EQ(LaunchScale(nullptr, 1, 1, nullptr, 0, stream_), cudaSuccess);
  EXPECT_EQ(CountAll().launches, 0);
}

TEST_F(KernelsTest, SoftmaxByShufflesAndSharedMemory) {
  for (const uint64_t seed : kSeeds) {
    Begin(seed);
    for (const int columns : {1, 31, 200, 1000}) {
      const int rows = 37;
      const std::vector<float> x = Numbers(static_cast<size_t>(rows * columns));
      const DeviceArray<float> in(x), out(x.size());
      ASSERT_EQ(LaunchSoftmax(in.data(), out.data(), rows, columns, stream_), cudaSuccess);
      ASSERT_EQ(Wait(), cudaSuccess);
      const std::vector<float> got = out.Get();
      for (int r = 0; r < rows; ++r) {
        const float* row = &x[static_cast<size_t>(r * columns)];
        const double most = *std::max_element(row, row + columns);
        double sum = 0;
        for (int c = 0; c < columns; ++c) sum += std::exp(row[c] - most);
        for (int c = 0; c < columns; ++c)
          ASSERT_NEAR(got[static_cast<size_t>(r * columns + c)], std::exp(row[c] - most) / sum,
                      1e-6)
              << "seed " << seed << " row " << r << " column " << c;
      }
    }
  }
}

TEST_F(KernelsTest, TransposeThroughTiles) {
  for (const uint64_t seed : kSeeds) {
    Begin(seed);
    const int rows = 67, columns = 130;
    std::vector<double> x(rows * columns);
    std::iota(x.begin(), x.end(), 0);
    const DeviceArray<double> in(x), out(x.size());
    ASSERT_EQ(LaunchTranspose(in.data(), out.data(), rows, columns, stream_), cudaSuccess);
    ASSERT_EQ(Wait(), cudaSuccess);
    const std::vector<double> got = out.Get();
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c)
        ASSERT_EQ(got[static_cast<size_t>(c * rows + r)], x[static_cast<size_t>(r * columns + c)]);
  }
}

TEST_F(KernelsTest, ReductionIsTheSameInEveryOrder) {
  std::vector<uint16_t> halves(5000);
  for (size_t i = 0; i < halves.size(); ++i) halves[i] = static_cast<uint16_t>(0x3400 + i % 1500);
  std::vector<float> sums;
  for (const uint64_t seed : kSeeds) {
    Begin(seed);
    const DeviceArray<uint16_t> in(halves);
    const DeviceArray<float> out(1);
    ASSERT_EQ(LaunchSumHalves(in.data(), out.data(), 5000, stream_), cudaSuccess);
    ASSERT_EQ(Wait(), cudaSuccess);
    sums.push_back(out.Get()[0]);
  }
  EXPECT_THAT(sums, testing::Each(sums[0]));
  EXPECT_GT(sums[0], 5000 * 0.25f);
  EXPECT_LT(sums[0], 5000 * 1.0f);
}

TEST_F(KernelsTest, ScatterWithAtomics) {
  for (const uint64_t seed : kSeeds) {
    Begin(seed);
    const int n = 20000, size = 50;
    std::vector<int> x(n), ids(n), expected(size, 0);
    for (int i = 0; i < n; ++i) {
      x[static_cast<size_t>(i)] = i;
      ids[static_cast<size_t>(i)] = i * 7 % (size + 5) - 2;
      const int id = ids[static_cast<size_t>(i)];
      if (id >= 0 && id < size) expected[static_cast<size_t>(id)] += i;
    }
    const DeviceArray<int> values(x), places(ids), out(size);
    ASSERT_EQ(cudaMemsetAsync(out.data(), 0, size * sizeof(int), stream_), cudaSuccess);
    ASSERT_EQ(LaunchScatter(values.data(), places.data(), out.data(), n, size, stream_),
              cudaSuccess);
    ASSERT_EQ(Wait(), cudaSuccess);
    EXPECT_EQ(out.Get(), expected) << seed;
  }
}

TEST_F(KernelsTest, WarpsVoteAndShuffle) {
  for (const uint64_t seed : kSeeds) {
    Begin(seed);
    std::vector<int> x(4 * 32);
    for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<int>(i * i % 7);
    const DeviceArray<int> in(x), odd(4), reversed(x.size());
    ASSERT_EQ(LaunchWarps(in.data(), odd.data(), reversed.data(), 4, stream_), cudaSuccess);
    ASSERT_EQ(Wait(), cudaSuccess);
    const std::vector<int> counts = odd.Get(), backwards = reversed.Get();
    for (size_t warp = 0; warp < 4; ++warp) {
      int expected = 0;
      for (size_t lane = 0; lane < 32; ++lane) {
        expected += x[warp * 32 + lane] % 2;
        EXPECT_EQ(backwards[warp * 32 + lane], x[warp * 32 + 31 - lane]);
      }
      EXPECT_EQ(counts[warp], expected);
    }
  }
}

TEST_F(KernelsTest, LaunchesAreCountedByName) {
  const DeviceArray<float> out(std::vector<float>{1, 2, 3});
  ASSERT_EQ(LaunchScale(out.data(), 1, 1, out.data(), 3, stream_), cudaSuccess);
  ASSERT_EQ(Wait(), cudaSuccess);
  EXPECT_THAT(LaunchesByKernel(),
              testing::ElementsAre(testing::Pair(testing::HasSubstr("ScaleKernel"), 1)));
}

}  // namespace
}  // namespace sluice::cuda_double
