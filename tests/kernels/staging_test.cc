// SPDX-License-Identifier: Apache-2.0
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/kernels/started.h"

namespace sluice::kernels {
namespace {

using testing::HasSubstr;

Tensor Float(float value) { return Tensor::Scalar<float>(value); }
Tensor Int(int32_t value) { return Tensor::Scalar<int32_t>(value); }
Tensor Key(int64_t value) { return Tensor::Scalar<int64_t>(value); }
Tensor Ints(std::vector<int32_t> values) { return Tensor::Vector<int32_t>(values); }

// Waiting kernels: order, limits, cancelling. tests/interop/ops/staging_readers_test.py compares
// the values with TensorFlow's.
class StagingTest : public testing::Test {
 protected:
  // A separate node, started, with its result as text.
  struct Call {
    Call(KernelRunner& runner, TestNode made, std::vector<Slot> inputs)
        : node(std::move(made)),
          kernel(runner, node, std::move(inputs), nullptr, runner.step().cancel) {}
    std::string Text() const {
      const std::string first = kernel.Text();
      if (!kernel.ended() || kernel.code() != absl::StatusCode::kOk) return first;
      std::string text = "OK";
      for (const Slot& output : kernel.outputs()) text += " " + output.value.ToString();
      return text;
    }

    const TestNode node;
    Started kernel;
  };

  std::unique_ptr<Call> Start(absl::string_view op, AttrMap attrs, std::vector<Tensor> inputs) {
    std::vector<DType> types;
    std::vector<Slot> slots;
    for (Tensor& input : inputs) {
      types.push_back(input.dtype());
      slots.push_back(ValueSlot(std::move(input)));
    }
    if (op != "MutexLock") attrs["shared_name"] = "area";
    auto node = runner_.Make(op, std::move(attrs), types);
    EXPECT_TRUE(node.ok()) << node.status();
    return std::make_unique<Call>(runner_, *std::move(node), std::move(slots));
  }
  std::unique_ptr<Call> Stage(float value, AttrMap attrs = {}) {
    attrs["dtypes"] = std::vector<DType>{kFloat};
    return Start("Stage", std::move(attrs), {Float(value)});
  }
  std::unique_ptr<Call> Unstage() {
    return Start("Unstage", {{"dtypes", std::vector<DType>{kFloat}}}, {});
  }
  std::unique_ptr<Call> Peek(int index) {
    return Start("StagePeek", {{"dtypes", std::vector<DType>{kFloat}}}, {Int(index)});
  }
  std::unique_ptr<Call> Put(int64_t key, std::vector<int32_t> indices, std::vector<Tensor> values,
                            AttrMap attrs = {}) {
    std::vector<Tensor> inputs = {Key(key), Ints(std::move(indices))};
    for (const Tensor& value : values) inputs.push_back(value);
    attrs["dtypes"] = std::vector<DType>{kFloat, kInt32};
    return Start("OrderedMapStage", std::move(attrs), std::move(inputs));
  }
  std::unique_ptr<Call> Get(absl::string_view op, std::vector<Tensor> inputs,
                            std::vector<DType> types = {kFloat, kInt32}) {
    return Start(absl::StrCat("OrderedMap", op), {{"dtypes", std::move(types)}}, std::move(inputs));
  }

  KernelRunner runner_;
};

TEST_F(StagingTest, WaitersAreServedInOrder) {
  const auto first = Unstage(), second = Unstage(), seen = Peek(1);
  EXPECT_EQ(first->Text(), "waits");
  EXPECT_EQ(Stage(1)->Text(), "OK");
  EXPECT_EQ(first->Text(), "OK float [] {1}");
  EXPECT_EQ(second->Text(), "waits");
  EXPECT_EQ(Stage(2)->Text(), "OK");
  EXPECT_EQ(second->Text(), "OK float [] {2}");
  EXPECT_EQ(seen->Text(), "waits");
  Stage(3), Stage(4);
  EXPECT_EQ(seen->Text(), "OK float [] {4}");
  EXPECT_EQ(Start("StageSize", {{"dtypes", std::vector<DType>{kFloat}}}, {})->Text(),
            "OK int32 [] {2}");
}

TEST_F(StagingTest, AFullAreaHoldsBackTheNext) {
  const AttrMap limits = {{"capacity", 1}};
  EXPECT_EQ(Stage(1, limits)->Text(), "OK");
  const auto second = Stage(2, limits);
  EXPECT_EQ(second->Text(), "waits");
  EXPECT_EQ(Unstage()->Text(), "OK float [] {1}");
  EXPECT_EQ(second->Text(), "OK");
  const auto third = Stage(3, limits);
  EXPECT_EQ(Start("StageClear", {{"dtypes", std::vector<DType>{kFloat}}}, {})->Text(), "OK");
  EXPECT_EQ(third->Text(), "OK");
}

TEST_F(StagingTest, MemoryIsALimitToo) {
  const AttrMap limits = {{"memory_limit", 7}};
  EXPECT_EQ(Stage(1, limits)->Text(), "OK");
  const auto second = Stage(2, limits);
  EXPECT_EQ(second->Text(), "waits");
  EXPECT_EQ(Unstage()->Text(), "OK float [] {1}");
  EXPECT_EQ(second->Text(), "OK");
  const auto large =
      Start("Stage", {{"dtypes", std::vector<DType>{kFloat}}}, {Tensor::Vector<float>({1, 2})});
  EXPECT_THAT(large->Text(), HasSubstr("'8' bytes into Staging Area with a memory limit of '7'"));
}

TEST_F(StagingTest, CancellingEndsTheWait) {
  const auto taker = Unstage(), peeker = Peek(0), getter = Get("Unstage", {Key(1), Ints({0, 1})});
  runner_.step().cancel->Cancel(Cancelled("the step was stopped"));
  for (const auto* waiter : {&taker, &peeker, &getter}) {
    EXPECT_THAT((*waiter)->Text(), HasSubstr("operation was cancelled: the step was stopped"));
  }
}

TEST_F(StagingTest, ManyAreCancelledAtOnce) {
  std::vector<std::unique_ptr<Call>> waiters;
  for (int i = 0; i < 3000; ++i) {
    waiters.push_back(i % 2 == 0 ? Peek(i) : Get("Unstage", {Key(i), Ints({0, 1})}));
  }
  const absl::Time before = absl::Now();
  runner_.step().cancel->Cancel(Cancelled("enough"));
  // if each tried each, it would take half a minute
  EXPECT_LT(absl::Now() - before, absl::Seconds(5));
  for (const auto& waiter : waiters) EXPECT_THAT(waiter->Text(), HasSubstr("cancelled: enough"));
}

TEST_F(StagingTest, AnotherTypeIsRefused) {
  Stage(1);
  const auto taker = Start("Unstage", {{"dtypes", std::vector<DType>{kInt32}}}, {});
  EXPECT_THAT(taker->Text(), HasSubstr("Mismatch stage/unstage"));
}

TEST_F(StagingTest, AKeyDoesNotWaitForAnother) {
  const auto one = Get("Unstage", {Key(1), Ints({0, 1})});
  const auto two = Get("Unstage", {Key(2), Ints({0, 1})});
  EXPECT_EQ(Put(2, {0, 1}, {Float(5), Int(6)})->Text(), "OK");
  EXPECT_EQ(two->Text(), "OK float [] {5} int32 [] {6}");
  EXPECT_EQ(one->Text(), "waits");
}

TEST_F(StagingTest, PartsMakeATuple) {
  const auto taker = Get("UnstageNoKey", {Ints({0, 1})});
  EXPECT_EQ(Put(7, {1}, {Int(6)})->Text(), "OK");
  EXPECT_EQ(Get("IncompleteSize", {})->Text(), "OK int32 [] {1}");
  EXPECT_EQ(Put(7, {1}, {Int(6)})->Text(),
            "The tensor for index '1' for key '7' was already initialized '2'.");
  EXPECT_EQ(taker->Text(), "waits");
  EXPECT_EQ(Put(7, {0}, {Float(5)})->Text(), "OK");
  EXPECT_EQ(taker->Text(), "OK int64 [] {7} float [] {5} int32 [] {6}");
  EXPECT_EQ(Get("IncompleteSize", {})->Text(), "OK int32 [] {0}");
}

TEST_F(StagingTest, ATupleIsTakenPartByPart) {
  Put(1, {0, 1}, {Float(5), Int(6)});
  EXPECT_EQ(Get("Peek", {Key(1), Ints({1})}, {kInt32})->Text(), "OK int32 [] {6}");
  EXPECT_EQ(Get("Unstage", {Key(1), Ints({1})}, {kInt32})->Text(), "OK int32 [] {6}");
  EXPECT_EQ(Get("Unstage", {Key(1), Ints({1})}, {kInt32})->Text(),
            "Tensor at index '1' for key '1' has already been removed.");
  EXPECT_EQ(Get("Size", {})->Text(), "OK int32 [] {1}");
  EXPECT_EQ(Get("Unstage", {Key(1), Ints({0})}, {kFloat})->Text(), "OK float [] {5}");
  EXPECT_EQ(Get("Size", {})->Text(), "OK int32 [] {0}");
}

TEST_F(StagingTest, IndicesAreChecked) {
  EXPECT_EQ(Put(1, {1, 0}, {Int(6), Float(5)})->Text(), "Indices are not strictly ordered");
  EXPECT_EQ(Put(1, {2}, {Float(5)})->Text(), "Index '2' for key '1' was out of bounds '2'.");
  EXPECT_EQ(Put(1, {-1}, {Float(5)})->Text(), "Index '-1' for key '1' was out of bounds '2'.");
  EXPECT_THAT(Put(1, {0}, {Float(5), Int(6)})->Text(), HasSubstr("1 indices for 2 values"));
  EXPECT_THAT(Put(1, {0}, {Int(5)})->Text(), HasSubstr("component 0 of the map is float"));
  EXPECT_EQ(Get("Size", {})->Text(), "OK int32 [] {0}");
}

TEST_F(StagingTest, TheLastHolderOfALockOpensIt) {
  auto mutex = runner_.Run("MutexV2", {{"shared_name", "m"}}, {});
  ASSERT_TRUE(mutex.ok()) << mutex.status();
  auto lock = [&] { return Start("MutexLock", {}, {(*mutex)[0]}); };
  auto first = lock();
  ASSERT_TRUE(first->kernel.ended());
  const auto second = lock();
  EXPECT_EQ(second->Text(), "waits");
  std::vector<Tensor> held = {first->kernel.outputs()[0].value};
  first.reset();
  EXPECT_TRUE(runner_.Run("ConsumeMutexLock", {}, std::move(held)).ok());
  second->kernel.Await();  // the waiting kernel continues in the device's pool
  ASSERT_EQ(second->kernel.code(), absl::StatusCode::kOk) << second->Text();
  const Tensor shared = second->kernel.outputs()[0].value;
  EXPECT_THAT(std::string(runner_.Run("ConsumeMutexLock", {}, {shared}).status().message()),
              HasSubstr("Expected use count of lock to be 1"));
}

}  // namespace
}  // namespace sluice::kernels
