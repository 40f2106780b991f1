// SPDX-License-Identifier: Apache-2.0
// Fill, strided copies and joins against loops on the host.
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "kernels/common/strided_copy.h"
#include "kernels/cuda/common/bytes.h"
#include "kernels/cuda/common/moves.h"
#include "tests/kernels/cuda/device_array.h"
#include "tests/kernels/cuda/thread_orders.h"

namespace sluice::cuda {
namespace {

[[maybe_unused]] bool operator==(const Bytes16& a, const Bytes16& b) {
  return a.low == b.low && a.high == b.high;
}

template <typename T>
std::vector<T> RandomBytes(size_t n, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::vector<T> values(n);
  for (T& value : values) {
    const uint64_t bits[2] = {generator(), generator()};
    std::memcpy(&value, bits, sizeof(T));
  }
  return values;
}

template <typename T>
bool Same(const std::vector<T>& a, const std::vector<T>& b) {
  if (a.size() != b.size()) return false;
  return a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

template <typename T>
class ArrayMovesTest : public testing::Test {};
using Sizes = testing::Types<uint8_t, uint16_t, uint32_t, uint64_t, Bytes16>;
TYPED_TEST_SUITE(ArrayMovesTest, Sizes);

TYPED_TEST(ArrayMovesTest, FillsAnyLengthFromAnyPlace) {
  using T = TypeParam;
  const T value = RandomBytes<T>(1, 3)[0];
  for (const size_t n :
       {size_t{0}, size_t{1}, size_t{15}, size_t{17}, size_t{1000}, size_t{70001}}) {
    for (const size_t offset : {size_t{0}, size_t{1}, size_t{3}}) {
      std::vector<T> want = RandomBytes<T>(n + offset + 2, 5);
      DeviceArray<T> to(want);
      ASSERT_EQ(LaunchFill(sizeof(T), &value, to.data() + offset, static_cast<int64_t>(n), nullptr),
                cudaSuccess);
      std::fill_n(want.begin() + static_cast<int64_t>(offset), n, value);
      EXPECT_TRUE(Same(to.Read(), want)) << n << " from " << offset;
    }
  }
}

// The loops of a copy between arrays that begin at these places, of so many elements.
struct Copy {
  const char* name;
  std::vector<CopyLoop> loops;
  int64_t from = 0, to = 0;
  int64_t from_size, to_size;
};

const std::vector<Copy>& Copies() {
  static const auto* const kCopies = new std::vector<Copy>{
      {"one element", {{1, 1, 1}}, 0, 0, 1, 1},
      {"a row", {{1003, 1, 1}}, 0, 0, 1003, 1003},
      {"repeated", {{1003, 0, 1}}, 0, 0, 1, 1003},
      {"backwards", {{517, -1, 1}}, 516, 0, 517, 517},
      {"every third", {{100, 3, 1}}, 1, 0, 300, 100},
      {"to every third", {{100, 1, 3}}, 0, 2, 100, 302},
      {"a slice of wide rows", {{7, 64, 16}, {16, 1, 1}}, 32, 0, 448, 112},
      {"a slice at an odd place", {{7, 65, 17}, {17, 1, 1}}, 3, 0, 460, 119},
      {"into wider rows", {{7, 16, 64}, {16, 1, 1}}, 0, 16, 112, 448},
      {"a tile", {{3, 0, 20}, {4, 5, 5}, {2, 0, 1000}, {5, 1, 1}}, 0, 0, 20, 3000},
      {"a square", {{32, 1, 32}, {32, 32, 1}}, 0, 0, 1024, 1024},
      {"a matrix", {{33, 1, 70}, {70, 33, 1}}, 0, 0, 2310, 2310},
      {"a thin matrix", {{5, 1, 1000}, {1000, 5, 1}}, 0, 0, 5000, 5000},
      {"matrices", {{3, 1200, 1200}, {40, 1, 30}, {30, 40, 1}}, 0, 0, 3600, 3600},
      {"four dimensions",
       {{2, 3 * 5 * 7, 1}, {3, 5 * 7, 2}, {5, 7, 6}, {7, 1, 30}},
       0,
       0,
       210,
       210},
      {"outer and inner turned", {{7, 1, 330}, {3, 7, 110}, {110, 21, 1}}, 0, 0, 2310, 2310},
  };
  return *kCopies;
}

TYPED_TEST(ArrayMovesTest, CopiesByLoops) {
  using T = TypeParam;
  for (const Copy& copy : Copies()) {
    const std::vector<T> from = RandomBytes<T>(static_cast<size_t>(copy.from_size), 11);
    const std::vector<T> before = RandomBytes<T>(static_cast<size_t>(copy.to_size), 12);
    int64_t n = 1;
    for (const CopyLoop& loop : copy.loops) n *= loop.size;
    std::vector<T> want = before;
    for (int64_t i = 0; i < n; ++i) {
      int64_t rest = i, source = copy.from, target = copy.to;
      for (size_t d = copy.loops.size(); d-- > 0; rest /= copy.loops[d].size) {
        source += rest % copy.loops[d].size * copy.loops[d].from;
        target += rest % copy.loops[d].size * copy.loops[d].to;
      }
      want[static_cast<size_t>(target)] = from[static_cast<size_t>(source)];
    }
    InEachOrder([&] {
      DeviceArray<T> source(from), target(before);
      ASSERT_EQ(LaunchStridedCopy(sizeof(T), copy.loops.data(), static_cast<int>(copy.loops.size()),
                                  source.data() + copy.from, target.data() + copy.to, nullptr),
                cudaSuccess);
      EXPECT_TRUE(Same(target.Read(), want)) << copy.name;
    });
  }
}

TYPED_TEST(ArrayMovesTest, JoinsPartsOfRows) {
  using T = TypeParam;
  const std::vector<std::vector<int64_t>> all_sizes = {
      {1}, {16, 32}, {3, 5, 1}, {64, 1, 16, 128}, std::vector<int64_t>(150, 2)};
  for (const std::vector<int64_t>& sizes : all_sizes) {
    for (const int64_t rows : {0, 1, 37}) {
      const int64_t width = std::accumulate(sizes.begin(), sizes.end(), int64_t{0});
      std::vector<T> want(static_cast<size_t>(rows * width));
      std::vector<std::unique_ptr<DeviceArray<T>>> arrays;
      std::vector<RowPart> parts;
      int64_t begin = 0;
      for (size_t p = 0; p < sizes.size(); begin += sizes[p], ++p) {
        const bool zeros = p % 3 == 2;
        const auto values =
            zeros ? std::vector<T>(static_cast<size_t>(rows * sizes[p]))
                  : RandomBytes<T>(static_cast<size_t>(rows * sizes[p]), static_cast<unsigned>(p));
        for (int64_t r = 0; r < rows; ++r) {
          std::copy_n(values.begin() + r * sizes[p], sizes[p], want.begin() + r * width + begin);
        }
        arrays.push_back(std::make_unique<DeviceArray<T>>(values));
        parts.push_back({zeros ? nullptr : arrays.back()->data(), sizes[p]});
      }
      DeviceArray<T> to(want.size());
      ASSERT_EQ(LaunchJoin(sizeof(T), parts.data(), static_cast<int64_t>(parts.size()), rows, width,
                           to.data(), nullptr),
                cudaSuccess);
      EXPECT_TRUE(Same(to.Read(), want)) << sizes.size() << " parts, " << rows << " rows";
    }
  }
}

TEST(SimplifyCopyTest, JoinsNeighboursThatStepAlike) {
  kernels::CopyDims dims = {{2, 12, 12}, {1, 5, 7}, {3, 4, 4}, {4, 1, 1}};
  kernels::SimplifyCopy(dims);
  ASSERT_EQ(dims.size(), 1u);
  EXPECT_EQ(dims[0].size, 24);
  dims = {{1, 3, 3}};
  kernels::SimplifyCopy(dims);
  ASSERT_EQ(dims.size(), 1u);
  EXPECT_EQ(dims[0].size, 1);
}

}  // namespace
}  // namespace sluice::cuda
