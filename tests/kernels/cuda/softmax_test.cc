// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/nn/softmax.h"

#include <gtest/gtest.h>

#include <limits>

#include "kernels/cuda/nn/cross_entropy.h"
#include "kernels/cuda/nn/in_top_k.h"
#include "tests/kernels/cuda/device_array.h"

namespace sluice::cuda {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Size {
  size_t rows, n;
};
// Rows for a warp and for a block; odd sizes, and none.
constexpr Size kSizes[] = {{1, 1},    {3, 10},   {9, 33}, {2, 1024},
                           {2, 1025}, {3, 3001}, {0, 5},  {4, 0}};

// The softmax of a row, and the logarithm of the sum of its powers.
struct RowResult {
  std::vector<double> softmax, log_softmax;
};
RowResult SoftmaxOf(const std::vector<double>& x) {
  double greatest = -kInfinity, sum = 0;
  for (double v : x) greatest = std::max(greatest, v);
  for (double v : x) sum += std::exp(v - greatest);
  RowResult result;
  for (double v : x) {
    result.softmax.push_back(std::exp(v - greatest) / sum);
    result.log_softmax.push_back(v - greatest - std::log(sum));
  }
  return result;
}

template <typename T>
std::vector<double> RowOf(const std::vector<T>& values, size_t row, size_t n) {
  std::vector<double> out;
  for (size_t i = row * n; i < (row + 1) * n; ++i) out.push_back(AsDouble(values[i]));
  return out;
}

template <typename T>
class CudaSoftmaxTest : public testing::Test {};
using Floats = testing::Types<float, double, __half, __nv_bfloat16>;
TYPED_TEST_SUITE(CudaSoftmaxTest, Floats);

TYPED_TEST(CudaSoftmaxTest, RowsAddUpToOne) {
  using T = TypeParam;
  for (const Size& size : kSizes) {
    for (bool log : {false, true}) {
      SCOPED_TRACE(testing::Message() << size.rows << "x" << size.n << " log " << log);
      const std::vector<T> x = RandomNumbers<T>(size.rows * size.n, 1);
      DeviceArray<T> in(x);  // and out
      ASSERT_EQ(LaunchSoftmax(log, ElementFor<T>(), in.data(), static_cast<int64_t>(size.rows),
                              static_cast<int64_t>(size.n), in.data(), nullptr),
                cudaSuccess);
      const std::vector<T> got = in.Read();
      for (size_t r = 0; r < size.rows; ++r) {
        const RowResult want = SoftmaxOf(RowOf(x, r, size.n));
        for (size_t i = 0; i < size.n; ++i) {
          ASSERT_TRUE(Near(got[r * size.n + i], log ? want.log_softmax[i] : want.softmax[i]))
              << r << ", " << i;
        }
      }
    }
  }
}

TEST(CudaSoftmaxRowsTest, NanAndInfinitySpoilOnlyTheirRow) {
  const auto inf = std::numeric_limits<float>::infinity();
  DeviceArray<float> in({0, NAN, 1, 1, -inf, 1, inf, 0, 0, -inf, -inf, -inf});
  DeviceArray<float> out(12);
  ASSERT_EQ(LaunchSoftmax(false, Element::kFloat, in.data(), 4, 3, out.data(), nullptr),
            cudaSuccess);
  const std::vector<float> got = out.Read();
  for (int i : {0, 1, 2, 6, 9, 10, 11}) EXPECT_TRUE(std::isnan(got[static_cast<size_t>(i)])) << i;
  EXPECT_FLOAT_EQ(got[3], 0.5f);
  EXPECT_FLOAT_EQ(got[4], 0);
  EXPECT_FLOAT_EQ(got[5], 0.5f);
}

// Strides of [rows, n], of one row, of one column, and of a scalar.
struct Stretch {
  bool rows, cols;
  size_t elements(const Size& size) const { return (rows ? size.rows : 1) * (cols ? size.n : 1); }
  StretchedMatrix Of(const void* data, const Size& size) const {
    return {data, rows ? static_cast<int64_t>(cols ? size.n : 1) : 0, cols ? 1 : 0};
  }
  size_t at(const Size& size, size_t r, size_t c) const {
    return (rows ? r * (cols ? size.n : 1) : 0) + (cols ? c : 0);
  }
};

TYPED_TEST(CudaSoftmaxTest, CrossEntropyStretchesItsOperands) {
  using T = TypeParam;
  const Stretch stretches[] = {{true, true}, {false, true}, {true, false}, {false, false}};
  for (const Size& size : kSizes) {
    for (const Stretch& of_logits : stretches) {
      for (const Stretch& of_labels : stretches) {
        SCOPED_TRACE(testing::Message() << size.rows << "x" << size.n);
        const std::vector<T> x = RandomNumbers<T>(of_logits.elements(size), 1);
        const std::vector<T> y = RandomNumbers<T>(of_labels.elements(size), 2, 0, 0.01);
        DeviceArray<T> logits(x), labels(y), loss(size.rows), backprop(size.rows * size.n);
        ASSERT_EQ(
            LaunchCrossEntropy(ElementFor<T>(), of_logits.Of(logits.data(), size),
                               of_labels.Of(labels.data(), size), static_cast<int64_t>(size.rows),
                               static_cast<int64_t>(size.n), loss.data(), backprop.data(), nullptr),
            cudaSuccess);
        const std::vector<T> losses = loss.Read(), gradients = backprop.Read();
        for (size_t r = 0; r < size.rows; ++r) {
          std::vector<double> row;
          for (size_t c = 0; c < size.n; ++c) row.push_back(AsDouble(x[of_logits.at(size, r, c)]));
          const RowResult result = SoftmaxOf(row);
          double total = 0;
          for (size_t c = 0; c < size.n; ++c) {
            const double label = AsDouble(y[of_labels.at(size, r, c)]);
            total -= label * result.log_softmax[c];
            ASSERT_TRUE(Near(gradients[r * size.n + c], result.softmax[c] - label));
          }
          ASSERT_TRUE(Near(losses[r], total, 4 * ToleranceOf<T>()));
        }
      }
    }
  }
}

template <typename T, typename I>
void CheckSparseCrossEntropy(const Size& size) {
  SCOPED_TRACE(testing::Message() << size.rows << "x" << size.n);
  const std::vector<T> x = RandomNumbers<T>(size.rows * size.n, 3);
  std::vector<I> y(size.rows);
  for (size_t r = 0; r < size.rows; ++r)  // the last but one is out of range, and the last
    y[r] = r + 2 == size.rows   ? static_cast<I>(-1)
           : r + 1 == size.rows ? static_cast<I>(size.n)
                                : static_cast<I>(r * 7 % size.n);
  DeviceArray<T> logits(x), loss(size.rows), backprop(size.rows * size.n);
  DeviceArray<I> labels(y);
  ASSERT_EQ(LaunchSparseCrossEntropy(ElementFor<T>(), logits.data(), labels.data(), sizeof(I) == 8,
                                     static_cast<int64_t>(size.rows), static_cast<int64_t>(size.n),
                                     loss.data(), backprop.data(), nullptr),
            cudaSuccess);
  const std::vector<T> losses = loss.Read(), gradients = backprop.Read();
  for (size_t r = 0; r < size.rows; ++r) {
    const RowResult want = SoftmaxOf(RowOf(x, r, size.n));
    const auto label = static_cast<int64_t>(y[r]);
    const bool valid = label >= 0 && label < static_cast<int64_t>(size.n);
    ASSERT_TRUE(Near(losses[r], valid ? -want.log_softmax[static_cast<size_t>(label)] : NAN));
    for (size_t c = 0; c < size.n; ++c) {
      const double one = static_cast<int64_t>(c) == label ? 1 : 0;
      ASSERT_TRUE(Near(gradients[r * size.n + c], valid ? want.softmax[c] - one : NAN));
    }
  }
}

TYPED_TEST(CudaSoftmaxTest, ALabelOutOfRangeMakesItsRowNan) {
  for (const Size& size : {Size{9, 33}, Size{4, 1025}, Size{0, 5}, Size{2, 1}}) {
    CheckSparseCrossEntropy<TypeParam, int32_t>(size);
    CheckSparseCrossEntropy<TypeParam, int64_t>(size);
  }
}

TEST(CudaInTopKTest, TiesCountAndBadRowsDoNot) {
  const auto inf = std::numeric_limits<float>::infinity();
  const std::vector<float> predictions = {3,   2, 2, 1,    //
                                          3,   2, 2, 1,    //
                                          3,   2, 2, 1,    //
                                          3,   2, 2, inf,  //
                                          3,   2, 2, 1,    //
                                          NAN, 2, 2, 1};
  DeviceArray<float> rows(predictions);
  DeviceArray<int64_t> targets(std::vector<int64_t>{2, 3, 0, 0, 4, 1});
  DeviceArray<bool> out(6);
  ASSERT_EQ(LaunchInTopK(rows.data(), targets.data(), true, 6, 4, 2, out.data(), nullptr),
            cudaSuccess);
  EXPECT_EQ(out.Read(), (std::vector<uint8_t>{1, 0, 1, 0, 0, 0}));
}

TEST(CudaInTopKTest, LongRowsAreSharedByABlock) {
  std::vector<float> predictions(2 * 5000);
  for (size_t i = 0; i < predictions.size(); ++i) predictions[i] = static_cast<float>(i * 7 % 5000);
  DeviceArray<float> rows(predictions);
  DeviceArray<int32_t> targets(std::vector<int32_t>{0, 0});
  DeviceArray<bool> out(2);
  // Element 0 is the least of 5000.
  for (int64_t k : {4999, 5000}) {
    ASSERT_EQ(LaunchInTopK(rows.data(), targets.data(), false, 2, 5000, k, out.data(), nullptr),
              cudaSuccess);
    const uint8_t in = k == 5000 ? 1 : 0;
    EXPECT_EQ(out.Read(), (std::vector<uint8_t>{in, in}));
  }
}

}  // namespace
}  // namespace sluice::cuda
