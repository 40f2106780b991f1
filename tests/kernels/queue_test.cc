// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <deque>
#include <memory>
#include <thread>

#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/kernels/started.h"

namespace sluice::kernels {
namespace {

using testing::HasSubstr;

Slot Float(float value) { return ValueSlot(Tensor::Scalar<float>(value)); }
Slot Floats(std::vector<float> values) { return ValueSlot(Tensor::Vector<float>(values)); }
Slot Int(int32_t value) { return ValueSlot(Tensor::Scalar<int32_t>(value)); }

// A queue of float scalars, and its waiting kernels.
class QueueTest : public testing::Test {
 protected:
  ~QueueTest() override {
    for (Started& started : started_) started.Cancel();
    for (Started& started : started_) EXPECT_NE(started.Await(), "waits");
  }

  void Make(const std::string& op, AttrMap attrs = {}) {
    attrs.insert({"component_types", std::vector<DType>{kFloat}});
    attrs.insert({"shapes", std::vector<PartialShape>{Shape{}}});
    node_ = *runner_.Make(op, std::move(attrs), {});
    handle_ = runner_.RunSlots(*node_, {}).value()[0];
  }
  Started& Start(const std::string& op, std::vector<Slot> inputs, AttrMap attrs = {},
                 absl::AnyInvocable<void()> then = nullptr) {
    if (op.find("Dequeue") != std::string::npos)
      attrs.insert({"component_types", std::vector<DType>{kFloat}});
    inputs.insert(inputs.begin(), handle_);
    std::vector<DType> types;
    for (const Slot& input : inputs) types.push_back(input.value.dtype());
    nodes_.push_back(*runner_.Make(op, std::move(attrs), types));
    return started_.emplace_back(runner_, nodes_.back(), std::move(inputs), std::move(then));
  }
  Started& Enqueue(float value) { return Start("QueueEnqueueV2", {Float(value)}); }
  Started& EnqueueMany(std::vector<float> values) {
    return Start("QueueEnqueueManyV2", {Floats(std::move(values))});
  }
  Started& Dequeue() { return Start("QueueDequeueV2", {}); }
  Started& DequeueMany(int n) { return Start("QueueDequeueManyV2", {Int(n)}); }
  Started& DequeueUpTo(int n) { return Start("QueueDequeueUpToV2", {Int(n)}); }
  Started& Close(bool cancel = false) {
    return Start("QueueCloseV2", {}, {{"cancel_pending_enqueues", cancel}});
  }
  std::string Size() { return Start("QueueSizeV2", {}).Text(); }

  KernelRunner runner_;
  std::optional<TestNode> node_;
  Slot handle_;
  std::deque<TestNode> nodes_;
  std::deque<Started> started_;
};

TEST_F(QueueTest, DequeuesWaitForElementsFirstComeFirstServed) {
  Make("FIFOQueueV2");
  Started &a = Dequeue(), &b = Dequeue();
  EXPECT_EQ(a.Text(), "waits");
  EXPECT_EQ(Enqueue(1).Text(), "OK");
  EXPECT_EQ(a.Text(), "float [] {1}");
  EXPECT_EQ(b.Text(), "waits");
  Enqueue(2);
  EXPECT_EQ(b.Text(), "float [] {2}");
  EXPECT_EQ(Size(), "int32 [] {0}");
}

TEST_F(QueueTest, EnqueuesWaitForRoom) {
  Make("FIFOQueueV2", {{"capacity", 2}});
  Started& many = EnqueueMany({1, 2, 3});
  Started& one = Enqueue(4);
  EXPECT_EQ(many.Text(), "waits");
  EXPECT_EQ(Dequeue().Text(), "float [] {1}");
  EXPECT_EQ(many.Text(), "OK");
  EXPECT_EQ(one.Text(), "waits");
  EXPECT_EQ(Dequeue().Text(), "float [] {2}");
  EXPECT_EQ(one.Text(), "OK");
}

TEST_F(QueueTest, ABatchMayBeLargerThanTheCapacity) {
  Make("FIFOQueueV2", {{"capacity", 2}});
  Started& batch = DequeueMany(5);
  EXPECT_EQ(EnqueueMany({1, 2, 3, 4}).Text(), "OK");
  EXPECT_EQ(batch.Text(), "waits");
  EXPECT_EQ(Size(), "int32 [] {0}");
  Enqueue(5);
  EXPECT_EQ(batch.Text(), "float [5] {1, 2, 3, 4, 5}");
}

TEST_F(QueueTest, ACancelledBatchGivesBackWhatItTook) {
  Make("FIFOQueueV2");
  Started& batch = DequeueMany(3);
  Started& next = Dequeue();
  EnqueueMany({1, 2});
  batch.Cancel();
  EXPECT_THAT(batch.Text(), HasSubstr("Dequeue operation was cancelled"));
  EXPECT_EQ(next.Text(), "float [] {1}");
  EXPECT_EQ(Dequeue().Text(), "float [] {2}");
}

TEST_F(QueueTest, CancellationNamesOperationReasonAndQueue) {
  Make("FIFOQueueV2", {{"capacity", 1}, {"shared_name", "work"}});
  Started& take = Dequeue();
  take.Cancel();
  EXPECT_EQ(take.code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(take.Text(),
            "Dequeue operation was cancelled: the client went away (it waited for FIFOQueue "
            "'work')");
  Enqueue(1);
  Started& put = Enqueue(2);
  put.Cancel();
  EXPECT_THAT(put.Text(), HasSubstr("Enqueue operation was cancelled"));
  EXPECT_EQ(Size(), "int32 [] {1}");
}

TEST_F(QueueTest, ClosedQueuesGiveWhatIsLeft) {
  Make("FIFOQueueV2");
  EnqueueMany({1, 2, 3});
  EXPECT_EQ(Close().Text(), "OK");
  EXPECT_THAT(Enqueue(4).Text(), HasSubstr("FIFOQueue '"));
  EXPECT_EQ(Enqueue(4).code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(Dequeue().Text(), "float [] {1}");
  Started& batch = DequeueMany(3);
  EXPECT_EQ(batch.code(), absl::StatusCode::kOutOfRange);
  EXPECT_THAT(batch.Text(),
              HasSubstr("is closed and has insufficient elements (requested 3, current size 2)"));
  EXPECT_EQ(DequeueUpTo(5).Text(), "float [2] {2, 3}");
  EXPECT_THAT(DequeueUpTo(5).Text(), HasSubstr("(requested 5, current size 0)"));
  EXPECT_THAT(Close().Text(), HasSubstr("is already closed."));
  EXPECT_EQ(Close(true).Text(), "OK");
}

TEST_F(QueueTest, ClosingWaitsForEarlierEnqueuesUnlessItCancelsThem) {
  Make("FIFOQueueV2", {{"capacity", 1}});
  Enqueue(1);
  Started& second = Enqueue(2);
  Started& close = Close();
  Started& late = Enqueue(3);
  EXPECT_EQ(close.Text(), "waits");
  Dequeue();
  EXPECT_EQ(second.Text(), "OK");
  EXPECT_EQ(close.Text(), "OK");
  EXPECT_THAT(late.Text(), HasSubstr("is closed."));

  Make("FIFOQueueV2", {{"capacity", 1}});
  Enqueue(1);
  Started& dropped = Enqueue(2);
  Started& waiting_close = Close();
  EXPECT_EQ(Close(true).Text(), "OK");
  EXPECT_THAT(dropped.Text(), HasSubstr("Enqueue operation was cancelled"));
  EXPECT_THAT(waiting_close.Text(), HasSubstr("Enqueue operation was cancelled"));
}

TEST_F(QueueTest, ClosingEndsThoseThatWaitForElements) {
  Make("FIFOQueueV2");
  Started &one = Dequeue(), &batch = DequeueMany(2), &up_to = DequeueUpTo(3);
  Enqueue(1);
  EXPECT_EQ(one.Text(), "float [] {1}");
  Enqueue(2);
  Close();
  EXPECT_THAT(batch.Text(), HasSubstr("(requested 1, current size 0)"));
  EXPECT_EQ(up_to.Text(), "float [1] {2}");
}

TEST_F(QueueTest, ShufflingKeepsSomeBehindAndHasASeed) {
  const auto order = [&] {
    Make("RandomShuffleQueueV2", {{"min_after_dequeue", 2}, {"seed", 3}, {"seed2", 4}});
    EnqueueMany({1, 2, 3, 4, 5, 6, 7, 8});
    const std::string first = DequeueMany(6).Text();
    EXPECT_EQ(Dequeue().Text(), "waits");
    Close();
    EXPECT_NE(started_.rbegin()[1].Text(), "waits");
    return first;
  };
  const std::string first = order();
  EXPECT_EQ(first, order());
  EXPECT_NE(first, "float [6] {1, 2, 3, 4, 5, 6}");
}

TEST_F(QueueTest, PaddingFillsUpToTheLargest) {
  Make("PaddingFIFOQueueV2", {{"shapes", std::vector<PartialShape>{PartialShape{-1}}}});
  Start("QueueEnqueueV2", {Floats({1, 2})});
  Start("QueueEnqueueV2", {Floats({3})});
  Start("QueueEnqueueV2", {Floats({})});
  EXPECT_EQ(DequeueMany(3).Text(), "float [3,2] {1, 2, 3, 0, 0, 0}");
  EXPECT_EQ(DequeueMany(0).Text(), "float [0,0] {}");
}

TEST_F(QueueTest, LeastPriorityComesFirst) {
  Make("PriorityQueueV2");
  const std::vector<DType> both = {kInt64, kFloat};
  const auto put = [&](int64_t priority, float value) {
    Start("QueueEnqueueV2", {ValueSlot(Tensor::Scalar<int64_t>(priority)), Float(value)});
  };
  for (int64_t p : {3, 1, 2}) put(p, static_cast<float>(p) * 10);
  Started& batch = Start("QueueDequeueManyV2", {Int(2)}, {{"component_types", both}});
  EXPECT_EQ(batch.Text(), "int64 [2] {1, 2}");
  // A batch of a priority queue takes nothing before it is complete.
  Started& whole = Start("QueueDequeueManyV2", {Int(2)}, {{"component_types", both}});
  EXPECT_EQ(Size(), "int32 [] {1}");
  put(0, 5);
  EXPECT_EQ(whole.Text(), "int64 [2] {0, 3}");
}

TEST_F(QueueTest, ElementsDoNotChangeWithTheVariableTheyCameFrom) {
  Make("FIFOQueueV2");
  auto variable = MakeRefCounted<RefVariable>(kFloat, "v");
  Tensor value = Tensor::Scalar<float>(1);
  value.buffer()->set_guard(variable->guard);
  Start("QueueEnqueueV2", {ValueSlot(value)});
  *value.mutable_data<float>() = 2;
  EXPECT_EQ(Dequeue().Text(), "float [] {1}");
}

TEST_F(QueueTest, TenThousandDequeuesWaitAndAreCancelledQuickly) {
  constexpr int kWaiting = 10'000;
  Make("FIFOQueueV2");
  const std::vector<DType> types = {kFloat};
  const TestNode take = *runner_.Make("QueueDequeueV2", {{"component_types", types}}, {kResource});
  CancelToken step;
  std::deque<Started> waiting;
  for (int i = 0; i < kWaiting; ++i) {
    // One half waits in one step, the other half in separate steps.
    waiting.emplace_back(runner_, take, std::vector<Slot>{handle_}, nullptr,
                         i % 2 == 0 ? &step : nullptr);
  }
  step.Cancel(absl::CancelledError("the step is over"));
  for (int i = 0; i < kWaiting / 2; ++i) {
    if (i % 2 == 1) waiting[i].Cancel();
  }
  for (int i = 0; i < kWaiting; ++i) ASSERT_EQ(waiting[i].ended(), i % 2 == 0 || i < kWaiting / 2);
  EnqueueMany(std::vector<float>(kWaiting / 4, 7));
  for (int i = kWaiting / 2 + 1; i < kWaiting; i += 2)
    ASSERT_EQ(waiting[i].Await(), "float [] {7}");
  EXPECT_EQ(Size(), "int32 [] {0}");
}

// Each dequeue, when it ends, enqueues the element that the next one waits for. The chain must not
// be as many stack frames.
TEST_F(QueueTest, AChainOfWaitersNeedsNoStack) {
  constexpr int kWaiting = 20'000;
  Make("FIFOQueueV2");
  const std::vector<DType> types = {kFloat};
  const TestNode take = *runner_.Make("QueueDequeueV2", {{"component_types", types}}, {kResource});
  const TestNode put = *runner_.Make("QueueEnqueueV2", {}, {kResource, kFloat});
  std::deque<Started> waiting;
  std::vector<std::unique_ptr<Started>> put_on(kWaiting);  // on the thread that continues
  std::atomic<size_t> next{0};
  for (int i = 0; i < kWaiting; ++i) {
    waiting.emplace_back(runner_, take, std::vector<Slot>{handle_}, [&] {
      put_on[next++] =
          std::make_unique<Started>(runner_, put, std::vector<Slot>{handle_, Float(1)});
    });
  }
  Enqueue(1);
  for (Started& started : waiting) ASSERT_EQ(started.Await(), "float [] {1}");
  for (auto& started : put_on) ASSERT_EQ(started->Await(), "OK");
  EXPECT_EQ(Size(), "int32 [] {1}");
}

TEST_F(QueueTest, ManyThreadsLoseNothing) {
  constexpr int kThreads = 4, kEach = 500;
  Make("FIFOQueueV2", {{"capacity", 3}});
  const std::vector<DType> types = {kFloat};
  const TestNode take = *runner_.Make("QueueDequeueV2", {{"component_types", types}}, {kResource});
  const TestNode put = *runner_.Make("QueueEnqueueV2", {}, {kResource, kFloat});
  std::atomic<int64_t> sum{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int i = 1; i <= kEach; ++i) {
        Started started(runner_, put, {handle_, Float(static_cast<float>(i))});
        ASSERT_EQ(started.Await(), "OK");
      }
    });
    threads.emplace_back([&] {
      for (int i = 0; i < kEach; ++i) {
        Started started(runner_, take, {handle_});
        if (i % 7 == 3) started.Cancel();  // its element is left for the end
        started.Await();
        if (started.code() == absl::StatusCode::kOk)
          sum += static_cast<int64_t>(started.outputs()[0].value.scalar<float>());
      }
    });
  }
  std::thread rest([&] {  // the elements that the cancelled ones did not take
    while (sum < int64_t{kThreads} * kEach * (kEach + 1) / 2) {
      Started started(runner_, take, {handle_});
      absl::SleepFor(absl::Milliseconds(1));
      started.Cancel();
      started.Await();
      if (started.code() == absl::StatusCode::kOk)
        sum += static_cast<int64_t>(started.outputs()[0].value.scalar<float>());
    }
  });
  for (std::thread& thread : threads) thread.join();
  rest.join();
  EXPECT_EQ(sum, int64_t{kThreads} * kEach * (kEach + 1) / 2);
}

TEST_F(QueueTest, ErrorsSayWhatDoesNotFit) {
  Make("FIFOQueueV2", {{"shared_name", "s"}});
  EXPECT_EQ(Start("QueueEnqueueV2", {Floats({1})}).Text(),
            "Shape mismatch in tuple component 0. Expected [], got [1]");
  EXPECT_EQ(Start("QueueEnqueueManyV2", {Float(1)}).Text(),
            "Shape mismatch in tuple component 0. Expected [1], got []");
  EXPECT_THAT(Start("QueueEnqueueV2", {Int(1)}).Text(),
              HasSubstr("Signature mismatch, have: resource, int32-> expected: resource, float->"));
  EXPECT_EQ(DequeueMany(-1).Text(), "DequeueManyOp requested -1 < 0 elements");
  const auto shared = [&](const std::string& op, AttrMap attrs) {
    attrs.insert({"component_types", std::vector<DType>{kFloat}});
    attrs.insert({"shared_name", "s"});
    return std::string(runner_.RunSlots(op, std::move(attrs), {}).status().message());
  };
  EXPECT_THAT(shared("RandomShuffleQueueV2", {}),
              HasSubstr("Expected FIFOQueue, found RandomShuffleQueueV2"));
  EXPECT_EQ(shared("FIFOQueueV2", {{"capacity", 9}}),
            "Shared queue 's' has capacity 2147483647 but requested capacity was 9");
  EXPECT_EQ(shared("FIFOQueueV2", {}),
            "Shared queue 's' has component shapes [[]] but requested component shapes were []");
}

}  // namespace
}  // namespace sluice::kernels
