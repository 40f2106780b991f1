// SPDX-License-Identifier: Apache-2.0
// Running totals and segments.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/cuda/math/scan.h"
#include "kernels/cuda/math/segment.h"
#include "tests/kernels/cuda/device_array.h"

namespace sluice::cuda {
namespace {

struct View {
  int64_t outer, size, inner;
  size_t elements() const { return static_cast<size_t>(outer * size * inner); }
};
const View kViews[] = {{1, 1, 1},   {1, 0, 3},   {1, 7, 1},   {5, 33, 1},
                       {3, 600, 2}, {2, 10, 40}, {4, 300, 3}, {1, 5'003, 1}};

double Combine(ScanOp op, double a, double b) {
  if (op == ScanOp::kSum) return a + b;
  if (op == ScanOp::kProd) return a * b;
  const double high = std::max(a, b), low = std::min(a, b);
  return high + std::log1p(std::exp(low - high));
}

template <typename T>
void CheckScan(ScanOp op, double low, double high, double relative) {
  const double start = op == ScanOp::kSum ? 0 : op == ScanOp::kProd ? 1 : -1e300;
  for (const View& view : kViews) {
    for (int variant = 0; variant < 4; ++variant) {
      const bool exclusive = (variant & 1) != 0, reverse = (variant & 2) != 0;
      const auto x = RandomNumbers<T>(view.elements(), variant, low, high);
      DeviceArray<T> in(x), out(x.size());
      ASSERT_EQ(LaunchScan(op, ElementFor<T>(), exclusive, reverse, in.data(), view.outer,
                           view.size, view.inner, out.data(), nullptr),
                cudaSuccess);
      const auto got = out.Read();
      for (int64_t line = 0; line < view.outer * view.inner; ++line) {
        double total = start, size = 1;
        for (int64_t i = 0; i < view.size; ++i) {
          const int64_t place = reverse ? view.size - 1 - i : i;
          const auto at = static_cast<size_t>((line / view.inner * view.size + place) * view.inner +
                                              line % view.inner);
          const double before = total;
          total = Combine(op, total, AsDouble(x[at]));
          size += std::fabs(AsDouble(x[at]));
          const double want = exclusive ? before : total;
          if (want < -1e30) continue;  // the lowest number of the type
          ASSERT_LE(std::fabs(AsDouble(got[at]) - want),
                    relative * std::max(std::fabs(want), op == ScanOp::kSum ? size : 1.0))
              << "size " << view.size << " at " << i << ": " << AsDouble(got[at]) << ", not "
              << want;
        }
      }
    }
  }
}

TEST(ScanTest, Sums) {
  CheckScan<float>(ScanOp::kSum, -1, 1, 3e-6);
  CheckScan<double>(ScanOp::kSum, -1, 1, 1e-12);
  CheckScan<__half>(ScanOp::kSum, -1, 1, 1e-3);
  CheckScan<__nv_bfloat16>(ScanOp::kSum, -1, 1, 8e-3);
  CheckScan<int32_t>(ScanOp::kSum, -9, 9, 0);
  CheckScan<int64_t>(ScanOp::kSum, -9, 9, 0);
}

TEST(ScanTest, Products) {
  CheckScan<float>(ScanOp::kProd, 0.999, 1.001, 1e-3);
  CheckScan<double>(ScanOp::kProd, 0.99, 1.01, 1e-10);
}

TEST(ScanTest, LogarithmsOfSumsOfExponentials) {
  CheckScan<float>(ScanOp::kLogSumExp, -3, 3, 1e-4);
  CheckScan<double>(ScanOp::kLogSumExp, -3, 3, 1e-10);
  CheckScan<__half>(ScanOp::kLogSumExp, -3, 3, 4e-3);
}

TEST(ScanTest, IntegersWrap) {
  DeviceArray<int32_t> x({INT32_MAX, 1, 5}), y(3);
  ASSERT_EQ(
      LaunchScan(ScanOp::kSum, Element::kInt32, false, false, x.data(), 1, 3, 1, y.data(), nullptr),
      cudaSuccess);
  EXPECT_EQ(y.Read(), (std::vector<int32_t>{INT32_MAX, INT32_MIN, INT32_MIN + 5}));
  ASSERT_EQ(LaunchScan(ScanOp::kProd, Element::kInt32, false, false, x.data(), 1, 3, 1, y.data(),
                       nullptr),
            cudaSuccess);
  EXPECT_EQ(y.Read()[2], INT32_MAX - 4);
}

template <typename T, typename Index>
void CheckUnsorted(SegmentOp op) {
  const SegmentSizes cases[] = {{0, 3, 4}, {1, 1, 1}, {50, 1, 7}, {200, 5, 3}, {1000, 33, 211}};
  for (const SegmentSizes& sizes : cases) {
    for (int seed : kSeeds) {
      const auto data =
          RandomNumbers<T>(static_cast<size_t>(sizes.rows * sizes.inner), seed,
                           op == SegmentOp::kProd ? 1 : -4, op == SegmentOp::kProd ? 1.2 : 4);
      // Some ids are out of range.
      const auto ids = RandomNumbers<Index>(static_cast<size_t>(sizes.rows), seed, -2,
                                            static_cast<double>(sizes.segments) + 1);
      const size_t results = static_cast<size_t>(sizes.segments * sizes.inner);
      double empty = 0;
      if (op == SegmentOp::kProd) empty = 1;
      if (op == SegmentOp::kMax || op == SegmentOp::kMin) {
        empty = std::is_same_v<T, float>    ? std::numeric_limits<float>::max()
                : std::is_same_v<T, double> ? std::numeric_limits<double>::max()
                : std::is_same_v<T, __half> ? 65504.0
                : kIsNarrow<T>              ? 0x1.fep127
                : op == SegmentOp::kMax     ? -static_cast<double>(INT32_MIN)
                                            : INT32_MAX;
        if (op == SegmentOp::kMax) empty = -empty;
      }
      std::vector<double> want(results, empty), size(results, 1);
      for (size_t i = 0; i < data.size(); ++i) {
        const auto inner = static_cast<size_t>(sizes.inner);
        const auto id = static_cast<int64_t>(ids[i / inner]);
        if (id < 0 || id >= sizes.segments) continue;
        const size_t at = static_cast<size_t>(id) * inner + i % inner;
        const double x = AsDouble(data[i]);
        size[at] += std::fabs(x);
        if (op == SegmentOp::kSum) want[at] += x;
        if (op == SegmentOp::kProd) want[at] *= x;
        if (op == SegmentOp::kMax) want[at] = std::max(want[at], x);
        if (op == SegmentOp::kMin) want[at] = std::min(want[at], x);
      }
      DeviceArray<T> in(data), out(results);
      DeviceArray<Index> device_ids(ids);
      DeviceArray<float> workspace(UnsortedSegmentWorkspace(ElementFor<T>(), sizes) / 4);
      ASSERT_EQ(LaunchUnsortedSegment(op, ElementFor<T>(), ElementFor<Index>(), sizes, in.data(),
                                      device_ids.data(), out.data(), workspace.data(), nullptr),
                cudaSuccess);
      const auto got = out.Read();
      for (size_t r = 0; r < results; ++r) {
        const double bound =
            ToleranceOf<T>() * std::max(op == SegmentOp::kSum ? size[r] : 1.0, std::fabs(want[r]));
        ASSERT_LE(std::fabs(AsDouble(got[r]) - want[r]), 4 * bound) << r;
      }
    }
  }
}

TEST(UnsortedSegmentTest, CombinesRows) {
  CheckUnsorted<float, int32_t>(SegmentOp::kSum);
  CheckUnsorted<double, int64_t>(SegmentOp::kSum);
  CheckUnsorted<__half, int32_t>(SegmentOp::kSum);
  CheckUnsorted<__nv_bfloat16, int64_t>(SegmentOp::kSum);
  CheckUnsorted<int32_t, int32_t>(SegmentOp::kSum);
  for (SegmentOp op : {SegmentOp::kMax, SegmentOp::kMin}) {
    CheckUnsorted<float, int64_t>(op);
    CheckUnsorted<double, int32_t>(op);
    CheckUnsorted<__half, int64_t>(op);
    CheckUnsorted<__nv_bfloat16, int32_t>(op);
    CheckUnsorted<int32_t, int64_t>(op);
  }
  CheckUnsorted<double, int32_t>(SegmentOp::kProd);
}

TEST(UnsortedSegmentTest, ProductsAndComplexSums) {
  DeviceArray<int32_t> ids({1, 1, 0}), numbers({2, 3, 5}), product(3);
  ASSERT_EQ(LaunchUnsortedSegment(SegmentOp::kProd, Element::kInt32, Element::kInt32, {3, 1, 3},
                                  numbers.data(), ids.data(), product.data(), nullptr, nullptr),
            cudaSuccess);
  EXPECT_EQ(product.Read(), (std::vector<int32_t>{5, 6, 1}));
  using C = Complex<float>;
  DeviceArray<C> data({C(1, 2), C(3, 4), C(5, 6)}), sum(2);
  ASSERT_EQ(LaunchUnsortedSegment(SegmentOp::kSum, Element::kComplex64, Element::kInt32, {3, 1, 2},
                                  data.data(), ids.data(), sum.data(), nullptr, nullptr),
            cudaSuccess);
  EXPECT_EQ(sum.Read()[0], C(5, 6));
  EXPECT_EQ(sum.Read()[1], C(4, 6));
}

template <typename T, typename Index>
void CheckSorted() {
  const SegmentSizes cases[] = {{1, 1, 1}, {50, 1, 9}, {300, 17, 40}};
  for (const SegmentSizes& sizes : cases) {
    for (int seed : kSeeds) {
      const auto data = RandomNumbers<T>(static_cast<size_t>(sizes.rows * sizes.inner), seed);
      auto ids = RandomNumbers<Index>(static_cast<size_t>(sizes.rows), seed, 0,
                                      static_cast<double>(sizes.segments - 1));
      std::sort(ids.begin(), ids.end());
      const size_t results = static_cast<size_t>(sizes.segments * sizes.inner);
      std::vector<double> want(results, 0);
      for (size_t i = 0; i < data.size(); ++i) {
        const auto inner = static_cast<size_t>(sizes.inner);
        want[static_cast<size_t>(ids[i / inner]) * inner + i % inner] += AsDouble(data[i]);
      }
      DeviceArray<T> in(data), out(results);
      DeviceArray<Index> device_ids(ids);
      ASSERT_EQ(LaunchSegmentSum(ElementFor<T>(), ElementFor<Index>(), sizes, in.data(),
                                 device_ids.data(), out.data(), nullptr),
                cudaSuccess);
      const auto got = out.Read();
      for (size_t r = 0; r < results; ++r)
        ASSERT_TRUE(Near(got[r], want[r], 30 * ToleranceOf<T>())) << r;
    }
  }
}

TEST(SegmentSumTest, AddsRowsInOrder) {
  CheckSorted<float, int32_t>();
  CheckSorted<double, int64_t>();
  CheckSorted<__half, int64_t>();
  CheckSorted<__nv_bfloat16, int32_t>();
}

}  // namespace
}  // namespace sluice::cuda
