// SPDX-License-Identifier: Apache-2.0
// Gathers of rows and slices, OneHot, and scatters that replace, against loops on the host.
#include <gtest/gtest.h>

#include <random>

#include "kernels/cuda/array/one_hot.h"
#include "kernels/cuda/common/rows.h"
#include "tests/kernels/cuda/device_array.h"
#include "tests/kernels/cuda/thread_orders.h"

namespace sluice::cuda {
namespace {

template <typename T>
std::vector<T> Counting(int64_t n) {
  std::vector<T> values(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i) values[static_cast<size_t>(i)] = static_cast<T>(i * 7 + 1);
  return values;
}

// Some of them out of range.
template <typename I>
std::vector<I> RandomIndices(int64_t n, int64_t limit, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_int_distribution<int64_t> draw(-1, limit);
  std::vector<I> indices(static_cast<size_t>(n));
  for (I& index : indices) index = static_cast<I>(draw(generator));
  return indices;
}

const GatherShape kGathers[] = {
    {1, 1, 10, 4, 7}, {1, 1, 10, 1, 1000}, {1, 3, 5, 6, 4},     {2, 3, 5, 16, 4},
    {1, 1, 4, 0, 3},  {1, 1, 0, 4, 3},     {3, 1, 100, 33, 50}, {1, 1, 7, 2, 0},
};

template <typename T, typename I>
void CheckGathers() {
  for (const GatherShape& n : kGathers) {
    const auto params = Counting<T>(n.batch * n.outer * n.limit * n.inner);
    const auto indices = RandomIndices<I>(n.batch * n.picks, n.limit, 4);
    std::vector<T> want;
    for (int64_t b = 0; b < n.batch * n.outer; ++b) {
      for (int64_t p = 0; p < n.picks; ++p) {
        const int64_t row = indices[static_cast<size_t>(b / n.outer * n.picks + p)];
        for (int64_t k = 0; k < n.inner; ++k) {
          const bool good = row >= 0 && row < n.limit;
          want.push_back(good ? params[static_cast<size_t>((b * n.limit + row) * n.inner + k)]
                              : T(0));
        }
      }
    }
    DeviceArray<T> from(params), out(want.size());
    DeviceArray<I> rows(indices);
    ASSERT_EQ(
        LaunchGatherRows(sizeof(T), from.data(), {rows.data(), sizeof(I)}, n, out.data(), nullptr),
        cudaSuccess);
    EXPECT_EQ(out.Read(), want) << sizeof(T) << " " << sizeof(I);
  }
}

TEST(GatherRowsTest, PicksRowsAndZerosWhereThereIsNone) {
  CheckGathers<uint8_t, int32_t>();
  CheckGathers<uint16_t, int64_t>();
  CheckGathers<uint32_t, int32_t>();
  CheckGathers<uint32_t, int16_t>();
  CheckGathers<uint64_t, int64_t>();
}

SlicePositions PositionsOf(const void* indices, int bytes, int64_t count,
                           const std::vector<int64_t>& dims) {
  SlicePositions positions{};
  positions.indices = {indices, bytes};
  positions.count = count;
  positions.depth = static_cast<int32_t>(dims.size());
  std::copy(dims.begin(), dims.end(), positions.dims);
  return positions;
}

// Which slice the host finds at position i; -1 if none.
int64_t HostSlice(const std::vector<int32_t>& indices, size_t i, const std::vector<int64_t>& dims) {
  int64_t slice = 0;
  for (size_t d = 0; d < dims.size(); ++d) {
    const int64_t at = indices[i * dims.size() + d];
    if (at < 0 || at >= dims[d]) return -1;
    slice = slice * dims[d] + at;
  }
  return slice;
}

TEST(GatherSlicesTest, ReadsWherePositionsPoint) {
  for (const std::vector<int64_t>& dims : {std::vector<int64_t>{}, {5}, {3, 4}, {2, 3, 4}}) {
    for (const int64_t inner : {1, 4, 6}) {
      int64_t slices = 1;
      for (int64_t size : dims) slices *= size;
      const auto params = Counting<uint32_t>(slices * inner);
      const int64_t count = 40;
      const auto indices = RandomIndices<int32_t>(count * static_cast<int64_t>(dims.size()), 3, 9);
      std::vector<uint32_t> want;
      for (size_t i = 0; i < count; ++i) {
        const int64_t slice = HostSlice(indices, i, dims);
        for (int64_t k = 0; k < inner; ++k)
          want.push_back(slice < 0 ? 0 : params[static_cast<size_t>(slice * inner + k)]);
      }
      DeviceArray<uint32_t> from(params), out(want.size());
      DeviceArray<int32_t> rows(indices);
      ASSERT_EQ(LaunchGatherSlices(4, from.data(), PositionsOf(rows.data(), 4, count, dims), inner,
                                   out.data(), nullptr),
                cudaSuccess);
      EXPECT_EQ(out.Read(), want);
    }
  }
}

TEST(ReplaceSlicesTest, WritesWherePositionsPointAndDropsTheRest) {
  const std::vector<int64_t> dims = {4, 5};
  // Each slice at most once: which of two wins is not fixed.
  const std::vector<int32_t> indices = {0, 1, 3, 4, -1, 0, 2, 5, 2, 2};
  for (const int64_t inner : {1, 8, 3}) {
    for (const bool scalar : {false, true}) {
      const auto before = Counting<uint16_t>(20 * inner);
      const auto updates = Counting<uint16_t>(scalar ? 1 : 5 * inner);
      auto want = before;
      for (size_t i = 0; i < 5; ++i) {
        const int64_t slice = HostSlice(indices, i, dims);
        for (int64_t k = 0; slice >= 0 && k < inner; ++k) {
          want[static_cast<size_t>(slice * inner + k)] =
              updates[scalar ? 0 : i * static_cast<size_t>(inner) + static_cast<size_t>(k)];
        }
      }
      DeviceArray<uint16_t> to(before), values(updates);
      DeviceArray<int32_t> rows(indices);
      ASSERT_EQ(LaunchReplaceSlices(2, to.data(), PositionsOf(rows.data(), 4, 5, dims), inner,
                                    values.data(), scalar, nullptr),
                cudaSuccess);
      EXPECT_EQ(to.Read(), want);
    }
  }
}

TEST(OneHotTest, PutsOnWhereTheIndexIs) {
  for (const int64_t inner : {1, 3}) {
    for (const int64_t depth : {0, 1, 300}) {
      const std::vector<uint8_t> indices = {0, 1, 2, 255, 7, 1};
      const auto outer = static_cast<int64_t>(indices.size()) / inner;
      std::vector<float> want;
      for (int64_t o = 0; o < outer; ++o) {
        for (int64_t d = 0; d < depth; ++d) {
          for (int64_t i = 0; i < inner; ++i)
            want.push_back(indices[static_cast<size_t>(o * inner + i)] == d ? 2.5f : -1.0f);
        }
      }
      DeviceArray<uint8_t> at(indices);
      DeviceArray<float> on(std::vector<float>{2.5f}), off(std::vector<float>{-1.0f});
      DeviceArray<float> out(want.size());
      ASSERT_EQ(LaunchOneHot(4, {at.data(), 1}, outer, depth, inner, on.data(), off.data(),
                             out.data(), nullptr),
                cudaSuccess);
      EXPECT_EQ(out.Read(), want);
    }
  }
}

}  // namespace
}  // namespace sluice::cuda
