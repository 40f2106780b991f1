// SPDX-License-Identifier: Apache-2.0
#include <deque>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/kernels/started.h"

namespace sluice::kernels {
namespace {

using testing::HasSubstr;

// A barrier of two float scalars.
class BarrierTest : public testing::Test {
 protected:
  BarrierTest() {
    node_ = *runner_.Make("Barrier",
                          {{"component_types", types_},
                           {"shapes", std::vector<PartialShape>{Shape{}, Shape{}}},
                           {"shared_name", "b"}},
                          {});
    handle_ = runner_.RunSlots(*node_, {}).value()[0];
  }
  ~BarrierTest() override {
    for (Started& started : started_) started.Cancel();
    for (Started& started : started_) EXPECT_NE(started.Await(), "waits");
  }

  Started& Start(const std::string& op, AttrMap attrs, std::vector<Slot> inputs) {
    std::vector<DType> types = {kString};
    for (const Slot& input : inputs) types.push_back(input.value.dtype());
    inputs.insert(inputs.begin(), handle_);
    absl::StatusOr<TestNode> node = runner_.Make(op, std::move(attrs), types);
    EXPECT_TRUE(node.ok()) << node.status();
    nodes_.push_back(*std::move(node));
    return started_.emplace_back(runner_, nodes_.back(), std::move(inputs));
  }
  std::string Insert(int component, std::vector<std::string> keys, std::vector<float> values) {
    return Start("BarrierInsertMany", {{"component_index", component}},
                 {ValueSlot(Tensor::Vector<std::string>(keys)),
                  ValueSlot(Tensor::Vector<float>(values))})
        .Text();
  }
  Started& Take(int n, bool small = false) {
    return Start("BarrierTakeMany", {{"component_types", types_}, {"allow_small_batch", small}},
                 {ValueSlot(Tensor::Scalar<int32_t>(n))});
  }
  std::string Close(bool cancel = false) {
    return Start("BarrierClose", {{"cancel_pending_enqueues", cancel}}, {}).Text();
  }
  std::string Sizes() {
    return absl::StrCat(Start("BarrierReadySize", {}, {}).Text(), " ",
                        Start("BarrierIncompleteSize", {}, {}).Text());
  }
  // The taken keys and both components.
  static std::string Taken(const Started& take) {
    if (take.Text() == "waits" || take.code() != absl::StatusCode::kOk) return take.Text();
    const auto& out = take.outputs();
    return absl::StrCat(out[1].value.ToString(), out[2].value.ToString(), out[3].value.ToString());
  }

  const std::vector<DType> types_ = {kFloat, kFloat};
  KernelRunner runner_;
  std::optional<TestNode> node_;
  Slot handle_;
  std::deque<TestNode> nodes_;
  std::deque<Started> started_;
};

TEST_F(BarrierTest, TuplesComeOutWhenComplete) {
  Started& take = Take(1);
  EXPECT_EQ(Insert(0, {"a", "b"}, {1, 2}), "OK");
  EXPECT_EQ(take.Text(), "waits");
  EXPECT_EQ(Sizes(), "int32 [] {0} int32 [] {2}");
  EXPECT_EQ(Insert(1, {"b"}, {20}), "OK");
  EXPECT_EQ(Taken(take), "string [1] {\"b\"}float [1] {2}float [1] {20}");
  EXPECT_EQ(Sizes(), "int32 [] {0} int32 [] {1}");
}

TEST_F(BarrierTest, OldestKeysComeFirst) {
  Insert(0, {"a"}, {1});
  Insert(0, {"b"}, {2});
  Insert(1, {"b"}, {20});
  Insert(1, {"a"}, {10});
  EXPECT_EQ(Taken(Take(2)), "string [2] {\"a\", \"b\"}float [2] {1, 2}float [2] {10, 20}");
}

TEST_F(BarrierTest, AClosedBarrierFinishesWhatIsBegun) {
  Insert(0, {"a"}, {1});
  Started& waiting = Take(1);
  Started& too_many = Take(2);
  EXPECT_EQ(Close(), "OK");
  EXPECT_EQ(waiting.Text(), "waits");
  EXPECT_THAT(Insert(0, {"z"}, {1}), HasSubstr("attempted to insert a brand new key: z"));
  EXPECT_EQ(Insert(1, {"a"}, {10}), "OK");
  EXPECT_EQ(Taken(waiting), "string [1] {\"a\"}float [1] {1}float [1] {10}");
  EXPECT_THAT(too_many.Text(), HasSubstr("Barrier 'b' is closed and has insufficient elements "
                                         "(requested 2, total size 0)"));
  EXPECT_EQ(too_many.code(), absl::StatusCode::kOutOfRange);
  EXPECT_THAT(Close(), HasSubstr("Barrier 'b' is already closed."));
}

TEST_F(BarrierTest, CancellingDropsWhatIsBegun) {
  Insert(0, {"a"}, {1});
  Started& waiting = Take(1);
  EXPECT_EQ(Close(true), "OK");
  EXPECT_THAT(waiting.Text(), HasSubstr("is closed and has insufficient elements"));
  EXPECT_THAT(Insert(1, {"a"}, {10}), HasSubstr("Pending enqueues cancelled: 1"));
  EXPECT_EQ(Sizes(), "int32 [] {0} int32 [] {0}");
}

TEST_F(BarrierTest, SmallBatchesWhenClosed) {
  Insert(0, {"a", "b"}, {1, 2});
  Insert(1, {"a"}, {10});
  Started& waiting = Take(5, /*small=*/true);
  EXPECT_EQ(waiting.Text(), "waits");
  Close();
  EXPECT_EQ(waiting.Text(), "waits");  // "b" is begun
  Insert(1, {"b"}, {20});
  EXPECT_EQ(Taken(waiting), "string [2] {\"a\", \"b\"}float [2] {1, 2}float [2] {10, 20}");
  EXPECT_THAT(Take(5, true).Text(), HasSubstr("(requested 0, total size 0)"));
}

TEST_F(BarrierTest, ErrorsSayWhatDoesNotFit) {
  EXPECT_EQ(Insert(0, {"a", "a"}, {1, 2}),
            "Key a already has a value for component 0 in barrier b");
  EXPECT_THAT(Insert(2, {"a"}, {1}), HasSubstr("The component ID is out of range 2"));
  EXPECT_THAT(Insert(-1, {"a"}, {1}), HasSubstr("The component ID is out of range -1"));
  EXPECT_THAT(Insert(0, {"x", "y"}, {1}), HasSubstr("a row for each of 2 keys"));
  EXPECT_THAT(Take(-1).Text(), HasSubstr("requested -1 < 0 elements"));
  Started& take = Take(1);
  take.Cancel();
  EXPECT_THAT(take.Text(), HasSubstr("Dequeue operation was cancelled"));
}

TEST(UnbatchTest, AnIdIsAScalar) {
  KernelRunner runner;
  const Tensor rows = Tensor::Vector<float>({1}), ids = Tensor::Vector<int64_t>({1, 2});
  const Tensor index = Tensor::Of<int64_t>(Shape{1, 3}, {1, 0, 1});
  for (const auto& out : {runner.Run("Unbatch", {{"timeout_micros", 10}}, {rows, index, ids}),
                          runner.Run("UnbatchGrad", {}, {rows, index, rows, ids})}) {
    EXPECT_THAT(out.status().message(), HasSubstr("Input id should be scalar; Got: shape [2]"));
  }
}

}  // namespace
}  // namespace sluice::kernels
