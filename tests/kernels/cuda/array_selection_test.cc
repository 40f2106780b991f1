// SPDX-License-Identifier: Apache-2.0
// The steps of Where, DynamicPartition and DynamicStitch against loops on the host.
#include <gtest/gtest.h>

#include <random>

#include "kernels/cuda/array/selection.h"
#include "tests/kernels/cuda/device_array.h"
#include "tests/kernels/cuda/thread_orders.h"

namespace sluice::cuda {
namespace {

TEST(SumBeforeTest, SumsInOrder) {
  for (const int64_t n : {0, 1, 255, 256, 257, 3000}) {
    std::vector<int64_t> counts(static_cast<size_t>(n) + 1, -5), want;
    int64_t sum = 0;
    for (int64_t i = 0; i < n; ++i) {
      counts[static_cast<size_t>(i)] = i % 7;
      want.push_back(sum);
      sum += i % 7;
    }
    want.push_back(sum);
    InEachOrder([&] {
      DeviceArray<int64_t> device(counts);
      ASSERT_EQ(LaunchSumBefore(device.data(), n, nullptr), cudaSuccess);
      EXPECT_EQ(device.Read(), want);
    });
  }
}

template <typename T>
void CheckWhere(const std::vector<int64_t>& dims, double chosen) {
  ArrayShape shape{};
  shape.rank = static_cast<int32_t>(dims.size());
  int64_t n = 1;
  for (size_t d = 0; d < dims.size(); ++d) {
    shape.dims[d] = dims[d];
    n *= dims[d];
  }
  std::mt19937 generator(3);
  std::bernoulli_distribution draw(chosen);
  std::vector<T> x(static_cast<size_t>(n));
  std::vector<int64_t> want;
  for (int64_t i = 0; i < n; ++i) {
    if (!draw(generator)) {
      x[static_cast<size_t>(i)] = T(0.0f);
      continue;
    }
    x[static_cast<size_t>(i)] = T(3.0f);
    int64_t stride = n, rest = i;
    for (int64_t size : dims) {
      stride /= size;
      want.push_back(rest / stride);
      rest %= stride;
    }
  }
  const int64_t pieces = (n + kSelectionPiece - 1) / kSelectionPiece;
  InEachOrder([&] {
    DeviceArray<T> device(x);
    DeviceArray<int64_t> counts(static_cast<size_t>(pieces) + 1), rows(want.size());
    ASSERT_EQ(LaunchCountNonZero(ElementFor<T>(), device.data(), n, counts.data(), nullptr),
              cudaSuccess);
    ASSERT_EQ(LaunchSumBefore(counts.data(), pieces, nullptr), cudaSuccess);
    ASSERT_EQ(counts.Read().back() * static_cast<int64_t>(dims.size()),
              static_cast<int64_t>(want.size()));
    ASSERT_EQ(LaunchWriteNonZero(ElementFor<T>(), device.data(), n, counts.data(), shape,
                                 rows.data(), nullptr),
              cudaSuccess);
    EXPECT_EQ(rows.Read(), want);
  });
}

TEST(WhereTest, ListsCoordinatesInOrder) {
  CheckWhere<float>({1}, 1);
  CheckWhere<float>({10}, 0);
  CheckWhere<float>({5000}, 0.5);
  CheckWhere<uint8_t>({3, 41, 100}, 0.1);
  CheckWhere<__half>({70, 130}, 0.9);
  CheckWhere<double>({2, 3, 1, 5}, 0.5);
}

TEST(PartitionTest, KeepsTheOrderWithinEachPart) {
  for (const int64_t n : {0, 1, 256, 1000}) {
    for (const int64_t parts : {1, 3, 40}) {
      std::mt19937 generator(static_cast<unsigned>(n));
      std::uniform_int_distribution<int32_t> draw(-1, static_cast<int32_t>(parts));
      std::vector<int32_t> part(static_cast<size_t>(n));
      for (int32_t& p : part) p = draw(generator);
      std::vector<int64_t> order, starts;
      for (int64_t p = 0; p < parts; ++p) {
        starts.push_back(static_cast<int64_t>(order.size()));
        for (int64_t i = 0; i < n; ++i) {
          if (part[static_cast<size_t>(i)] == p) order.push_back(i);
        }
      }
      starts.push_back(static_cast<int64_t>(order.size()));
      const int64_t pieces = std::max<int64_t>(1, (n + kPartitionPiece - 1) / kPartitionPiece);
      InEachOrder([&] {
        DeviceArray<int32_t> device(part);
        DeviceArray<int64_t> counts(std::vector<int64_t>(static_cast<size_t>(parts * pieces) + 1));
        DeviceArray<int64_t> begin(starts.size()), sorted(order.size());
        ASSERT_EQ(LaunchCountParts(device.data(), n, parts, counts.data(), nullptr), cudaSuccess);
        ASSERT_EQ(LaunchSumBefore(counts.data(), parts * pieces, nullptr), cudaSuccess);
        ASSERT_EQ(LaunchPartStarts(counts.data(), parts, pieces, begin.data(), nullptr),
                  cudaSuccess);
        EXPECT_EQ(begin.Read(), starts);
        ASSERT_EQ(LaunchPartOrder(device.data(), n, parts, counts.data(), sorted.data(), nullptr),
                  cudaSuccess);
        EXPECT_EQ(sorted.Read(), order);
      });
    }
  }
}

TEST(StitchTest, TakesRowsFromAddresses) {
  DeviceArray<float> a(std::vector<float>{1, 2, 3, 4, 5, 6}), b(std::vector<float>{7, 8, 9});
  const auto address = [](const float* at) { return reinterpret_cast<uintptr_t>(at); };
  DeviceArray<uint64_t> sources(std::vector<uint64_t>{address(b.data()), 0, address(a.data() + 3)});
  DeviceArray<float> out(9);
  ASSERT_EQ(LaunchRowsFrom(4, sources.data(), 3, 3, out.data(), nullptr), cudaSuccess);
  EXPECT_EQ(out.Read(), (std::vector<float>{7, 8, 9, 0, 0, 0, 4, 5, 6}));
}

}  // namespace
}  // namespace sluice::cuda
