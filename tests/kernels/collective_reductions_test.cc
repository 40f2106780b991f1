// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/collective/reductions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace sluice::kernels {
namespace {

// One operation of two values. Integers wrap.
template <typename C>
C Apply(const std::string& merge_op, C a, C b) {
  if (merge_op == "Min") return b < a ? b : a;
  if (merge_op == "Max") return a < b ? b : a;
  if constexpr (std::is_integral_v<C>) {
    const auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
    return static_cast<C>(merge_op == "Add" ? x + y : x * y);
  } else {
    return merge_op == "Add" ? a + b : a * b;
  }
}

template <typename T>
std::vector<std::vector<T>> SomeValues(size_t inputs, int64_t count) {
  std::mt19937_64 random(inputs * 1000 + static_cast<uint64_t>(count));
  std::vector<std::vector<T>> values(inputs);
  for (auto& value : values) {
    for (int64_t i = 0; i < count; ++i) {
      if constexpr (std::is_integral_v<T>)
        value.push_back(static_cast<T>(random()));
      else
        value.push_back(static_cast<T>(static_cast<float>(random() % 1000) / 300.0f - 1.5f));
    }
  }
  return values;
}

template <typename T>
std::vector<T> Expected(const std::string& merge_op, const std::vector<std::vector<T>>& inputs) {
  std::vector<T> expected;
  for (size_t i = 0; i < inputs[0].size(); ++i) {
    auto value = static_cast<ComputeType<T>>(inputs[0][i]);
    for (size_t k = 1; k < inputs.size(); ++k) {
      value = Apply(merge_op, value, static_cast<ComputeType<T>>(inputs[k][i]));
    }
    expected.push_back(static_cast<T>(value));
  }
  return expected;
}

template <typename T>
std::vector<float> AsFloats(const std::vector<T>& values) {
  return std::vector<float>(values.begin(), values.end());
}

template <typename T>
void CombinesInOrder(const std::string& merge_op) {
  const Reduction reduction = *FindReduction(merge_op, "Id", kDTypeOf<T>);
  EXPECT_EQ(reduction.finish, nullptr);
  for (size_t inputs = 1; inputs <= 12; ++inputs) {
    for (const int64_t count : {0, 1, 7, 1024, 2051}) {
      const auto values = SomeValues<T>(inputs, count);
      const auto expected = Expected(merge_op, values);
      // The result goes to memory of its own, or over one of the inputs.
      for (size_t over = 0; over <= inputs; ++over) {
        auto copies = values;
        copies.emplace_back(static_cast<size_t>(count));
        std::vector<const void*> at;
        for (size_t k = 0; k < inputs; ++k) at.push_back(copies[k].data());
        reduction.combine(at, count, copies[over].data());
        if constexpr (kIsNarrowFloat<T>)
          ASSERT_EQ(AsFloats(copies[over]), AsFloats(expected)) << inputs << " over " << over;
        else
          ASSERT_EQ(copies[over], expected) << inputs << " over " << over;
      }
    }
  }
}

template <typename T>
class CollectiveReductionsTest : public testing::Test {};
using Dtypes = testing::Types<float, double, Half, Bfloat16, int8_t, int16_t, int32_t, int64_t,
                              uint8_t, uint16_t, uint32_t, uint64_t>;
TYPED_TEST_SUITE(CollectiveReductionsTest, Dtypes);

TYPED_TEST(CollectiveReductionsTest, CombinesInputsInTheirOrder) {
  for (const char* merge_op : {"Add", "Mul", "Min", "Max"}) {
    SCOPED_TRACE(merge_op);
    CombinesInOrder<TypeParam>(merge_op);
  }
}

TYPED_TEST(CollectiveReductionsTest, DividesByTheNumberOfMembers) {
  const Reduction reduction = *FindReduction("Add", "Div", kDTypeOf<TypeParam>);
  auto values = SomeValues<TypeParam>(1, 1500)[0];
  const auto sums = values;
  reduction.finish(values.data(), 1500, 3);
  for (size_t i = 0; i < sums.size(); ++i) {
    const auto sum = static_cast<ComputeType<TypeParam>>(sums[i]);
    const auto expected = static_cast<TypeParam>(sum / static_cast<ComputeType<TypeParam>>(3));
    ASSERT_EQ(static_cast<ComputeType<TypeParam>>(values[i]),
              static_cast<ComputeType<TypeParam>>(expected));
  }
}

template <typename T>
class CollectiveNansTest : public testing::Test {};
using FloatingDtypes = testing::Types<float, double, Half, Bfloat16>;
TYPED_TEST_SUITE(CollectiveNansTest, FloatingDtypes);

TYPED_TEST(CollectiveNansTest, GivesNanIfAnyInputIsNan) {
  for (const char* merge_op : {"Add", "Mul", "Min", "Max"}) {
    const Reduction reduction = *FindReduction(merge_op, "Id", kDTypeOf<TypeParam>);
    for (size_t inputs = 2; inputs <= 9; ++inputs) {
      // Element k is NaN in input k only.
      std::vector<std::vector<TypeParam>> values(inputs, std::vector<TypeParam>(20, TypeParam(1)));
      std::vector<const void*> at;
      for (size_t k = 0; k < inputs; ++k) {
        values[k][k] = std::numeric_limits<TypeParam>::quiet_NaN();
        at.push_back(values[k].data());
      }
      std::vector<TypeParam> out(20);
      reduction.combine(at, 20, out.data());
      for (size_t i = 0; i < out.size(); ++i) {
        EXPECT_EQ(std::isnan(static_cast<double>(out[i])), i < inputs)
            << merge_op << " of " << inputs << " at " << i;
      }
    }
  }
}

TEST(CollectiveReductionTest, HalfSumsRoundOnce) {
  const Reduction reduction = *FindReduction("Add", "Id", kHalf);
  const Half large(2048), one(1);
  const std::vector<const void*> inputs = {&large, &one, &one};
  Half sum;
  reduction.combine(inputs, 1, &sum);
  EXPECT_EQ(static_cast<float>(sum), 2050);  // 2048 if each addition rounds
}

TEST(CollectiveReductionTest, QuotientsOfIntegersTruncate) {
  int32_t values[] = {-7, 7, std::numeric_limits<int32_t>::min()};
  FindReduction("Add", "Div", kInt32)->finish(values, 3, 2);
  EXPECT_THAT(values, testing::ElementsAre(-3, 3, -(1 << 30)));
}

TEST(CollectiveReductionTest, NamesWhatItDoes) {
  EXPECT_EQ(FindReduction("Max", "Id", kFloat)->name, "Max, Id");
}

TEST(CollectiveReductionTest, RefusesOtherNamesAndDtypes) {
  EXPECT_EQ(FindReduction("Sub", "Id", kFloat).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(FindReduction("Add", "Sqrt", kFloat).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(FindReduction("Add", "Id", kString).status().code(), absl::StatusCode::kUnimplemented);
}

}  // namespace
}  // namespace sluice::kernels
