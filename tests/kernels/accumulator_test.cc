// SPDX-License-Identifier: Apache-2.0
#include <deque>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/kernels/started.h"

namespace sluice::kernels {
namespace {

using testing::HasSubstr;

Slot Floats(std::vector<float> values) { return ValueSlot(Tensor::Vector<float>(values)); }
Slot Longs(std::vector<int64_t> values) { return ValueSlot(Tensor::Vector<int64_t>(values)); }
Slot Step(int64_t step) { return ValueSlot(Tensor::Scalar<int64_t>(step)); }
Slot Rows(int64_t rows, std::vector<float> values) {
  const auto columns = static_cast<int64_t>(values.size()) / rows;
  return ValueSlot(Tensor::Of<float>(Shape{rows, columns}, values));
}

class AccumulatorTest : public testing::Test {
 protected:
  ~AccumulatorTest() override {
    for (Started& started : started_) started.Cancel();
    for (Started& started : started_) EXPECT_NE(started.Await(), "waits");
  }

  void Make(const std::string& op, AttrMap attrs = {}) {
    attrs.insert({"dtype", kFloat});
    attrs.insert({"shape", PartialShape()});
    node_ = *runner_.Make(op, std::move(attrs), {});
    handle_ = runner_.RunSlots(*node_, {}).value()[0];
  }
  Started& Start(const std::string& op, AttrMap attrs, std::vector<Slot> inputs) {
    inputs.insert(inputs.begin(), handle_);
    std::vector<DType> types;
    for (const Slot& input : inputs)
      types.push_back(input.state == Slot::State::kRef ? kString : input.value.dtype());
    absl::StatusOr<TestNode> node = runner_.Make(op, std::move(attrs), types);
    EXPECT_TRUE(node.ok()) << node.status();
    nodes_.push_back(*std::move(node));
    return started_.emplace_back(runner_, nodes_.back(), std::move(inputs));
  }
  std::string Apply(int64_t step, std::vector<float> values) {
    return Start("ResourceAccumulatorApplyGradient", {}, {Step(step), Floats(std::move(values))})
        .Await();
  }
  std::string ApplyRows(int64_t step, std::vector<int64_t> indices, Slot values) {
    return Start("SparseAccumulatorApplyGradient", {{"has_known_shape", false}},
                 {Step(step), Longs(std::move(indices)), std::move(values), Longs({})})
        .Await();
  }
  Started& Take(int required, const std::string& op = "ResourceAccumulatorTakeGradient") {
    return Start(op, {{"dtype", kFloat}}, {ValueSlot(Tensor::Scalar<int32_t>(required))});
  }
  std::string Count() { return Start("ResourceAccumulatorNumAccumulated", {}, {}).Text(); }

  KernelRunner runner_;
  std::optional<TestNode> node_;
  Slot handle_;
  std::deque<TestNode> nodes_;
  std::deque<Started> started_;
};

TEST_F(AccumulatorTest, GivesTheMeanWhenEnoughHaveCome) {
  Make("ResourceConditionalAccumulator");
  Started &first = Take(2), &second = Take(1);
  EXPECT_EQ(Apply(0, {1, 2}), "OK");
  EXPECT_EQ(first.Text(), "waits");
  EXPECT_EQ(Apply(0, {3, 6}), "OK");
  EXPECT_EQ(first.Text(), "float [2] {2, 4}");
  EXPECT_EQ(second.Text(), "waits");
  Apply(1, {5, 5});
  EXPECT_EQ(second.Text(), "float [2] {5, 5}");
}

TEST_F(AccumulatorTest, StaleGradientsAreDropped) {
  Make("ResourceConditionalAccumulator");
  Apply(0, {1});
  Take(1);
  EXPECT_EQ(Apply(0, {1}), "OK");
  EXPECT_EQ(Count(), "int32 [] {0}");
  Start("ResourceAccumulatorSetGlobalStep", {}, {Step(7)});
  Apply(6, {1});
  EXPECT_EQ(Count(), "int32 [] {0}");
  Apply(7, {1});
  EXPECT_EQ(Count(), "int32 [] {1}");
}

TEST_F(AccumulatorTest, GivesTheSumIfAsked) {
  Make("ResourceConditionalAccumulator", {{"reduction_type", "SUM"}});
  Apply(0, {1});
  Apply(0, {2});
  EXPECT_EQ(Take(1).Text(), "float [1] {3}");
}

TEST_F(AccumulatorTest, TheFirstGradientIsNotWritten) {
  Make("ResourceConditionalAccumulator");
  const Slot mine = Floats({1, 1});
  Start("ResourceAccumulatorApplyGradient", {}, {Step(0), mine});
  Apply(0, {3, 3});
  EXPECT_EQ(Take(1).Text(), "float [2] {2, 2}");
  EXPECT_EQ(mine.value.ToString(), "float [2] {1, 1}");
}

TEST_F(AccumulatorTest, LargeGradientsAreAddedOnThePool) {
  Make("ResourceConditionalAccumulator");
  const std::vector<float> large(100'000, 1.5f);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(Apply(0, large), "OK");
  Started& take = Take(4);
  EXPECT_THAT(take.Await(), HasSubstr("float [100000] {1.5, 1.5"));
}

TEST_F(AccumulatorTest, SparseRowsAreMergedAndAveragedEachByItsCount) {
  Make("SparseConditionalAccumulator", {{"shape", PartialShape{-1, 2}}});
  EXPECT_EQ(ApplyRows(0, {1, 3}, Rows(2, {1, 1, 2, 2})), "OK");
  EXPECT_EQ(ApplyRows(0, {0, 3}, Rows(2, {5, 5, 4, 4})), "OK");
  Started& take = Take(2, "SparseAccumulatorTakeGradient");
  EXPECT_EQ(take.Text(), "int64 [3] {0, 1, 3}");
  EXPECT_EQ(take.outputs()[1].value.ToString(), "float [3,2] {5, 5, 1, 1, 3, 3}");
  EXPECT_EQ(take.outputs()[2].value.ToString(), "int64 [2] {-1, 2}");
}

TEST_F(AccumulatorTest, SparseErrorsSayWhatDoesNotFit) {
  Make("SparseConditionalAccumulator", {{"shape", PartialShape{3, 2}}});
  EXPECT_THAT(ApplyRows(0, {4}, Rows(1, {1, 1})), HasSubstr("index is 4 exceeded 3"));
  EXPECT_THAT(ApplyRows(0, {1, 2}, Rows(1, {1, 1})),
              HasSubstr("Expected 2 non-empty input values, got 1"));
  EXPECT_THAT(ApplyRows(0, {1}, Rows(1, {1, 1, 1})),
              HasSubstr("expected values dim 1 to be 2, got 3"));
  EXPECT_THAT(ApplyRows(0, {1}, Floats({1})), HasSubstr("expected values rank at least 2, got 1"));
  EXPECT_EQ(ApplyRows(0, {}, ValueSlot(Tensor::Of<float>(Shape{0, 2}, {}))), "OK");
  EXPECT_EQ(Take(1, "SparseAccumulatorTakeGradient").outputs()[1].value.ToString(),
            "float [0,2] {}");
}

TEST_F(AccumulatorTest, DenseErrorsSayWhatDoesNotFit) {
  Make("ResourceConditionalAccumulator", {{"shape", PartialShape{-1}}});
  Apply(0, {1, 2});
  EXPECT_EQ(Apply(0, {1}), "Shape mismatch: expected [2], got [1]");
  EXPECT_THAT(Take(0).Text(), HasSubstr("num_required must be positive, but was 0"));
  EXPECT_THAT(Start("ResourceAccumulatorApplyGradient", {}, {Step(0), Longs({1})}).Text(),
              HasSubstr("Signature mismatch"));
  Started& take = Take(5);
  take.Cancel();
  EXPECT_THAT(take.Text(), HasSubstr("TakeGrad operation was cancelled"));
}

}  // namespace
}  // namespace sluice::kernels
