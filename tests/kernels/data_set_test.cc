// SPDX-License-Identifier: Apache-2.0
// Stages that work ahead, and runs that serve many requests, on threads that race. The elements of
// whole data sets are compared with TensorFlow's in tests/interop/datasets/.
#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <random>
#include <thread>

#include "absl/synchronization/blocking_counter.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "kernels/common/dataset/ahead.h"
#include "kernels/common/dataset/call_limit.h"
#include "kernels/common/dataset/element_buffer.h"
#include "kernels/common/dataset/iterator.h"
#include "kernels/common/dataset/tuning_budget.h"

namespace sluice::kernels {
namespace {

const ElementSpec& OneNumber() {
  static const auto* const spec = new ElementSpec{{kInt64}, {PartialShape(Shape{})}};
  return *spec;
}

// 0, 1, ..., with an error in place of every multiple of `broken`. Reads never overlap.
class Numbers final : public Stage {
 public:
  Numbers(int64_t end, int64_t broken) : end_(end), broken_(broken) {}
  absl::StatusOr<bool> Next(Element& element) override {
    EXPECT_FALSE(reading_.exchange(true));
    std::this_thread::yield();
    const int64_t number = next_++;
    reading_ = false;
    if (number >= end_) return false;
    if (broken_ > 0 && number % broken_ == 0) return DataLoss("broken ", number);
    element.assign(1, Tensor::Scalar<int64_t>(number));
    return true;
  }
  absl::Status SaveOrRestore(SavedState& state) override {
    EXPECT_FALSE(reading_);
    return state.Fields("Numbers", next_);
  }

 private:
  const int64_t end_, broken_;
  int64_t next_ = 0;
  std::atomic<bool> reading_{false};
};

class Squares final : public Work {
 public:
  Squares(int64_t end, int64_t broken) : Work(std::make_unique<Numbers>(end, broken)) {}
  absl::StatusOr<bool> Make(Element& element) const override {
    const int64_t number = element[0].scalar<int64_t>();
    if (number % 3 == 0) absl::SleepFor(absl::Microseconds(50));
    element.assign(1, Tensor::Scalar<int64_t>(number * number));
    return true;
  }
};

class NumberSet final : public DataSet {
 public:
  explicit NumberSet(int64_t end) : DataSet(OneNumber()), end_(end) {}
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    return PrefetchOf(std::make_unique<Numbers>(end_, 0), 3, /*autotune=*/true, running);
  }

 private:
  const int64_t end_;
};

TEST(AheadTest, GivesElementsAndErrorsInTheOrderOfTheInput) {
  for (const int64_t workers : {1, 2, 7}) {
    RunState state;
    AheadOptions options;
    options.workers = workers;
    options.elements = workers + 2;
    const auto stage =
        WorkAhead(std::make_unique<Squares>(200, /*broken=*/10), options, Running{&state, {}});
    for (int64_t i = 0; i < 200; ++i) {
      Element element;
      const absl::StatusOr<bool> more = stage->Next(element);
      ASSERT_EQ(more.ok(), i % 10 != 0) << i;
      if (!more.ok()) continue;
      ASSERT_EQ(element[0].scalar<int64_t>(), i * i);
    }
    Element element;
    for (int i = 0; i < 3; ++i) {
      const absl::StatusOr<bool> more = stage->Next(element);
      ASSERT_TRUE(more.ok() && !*more);
    }
  }
}

// The elements that are made ahead are part of the position, errors too.
TEST(AheadTest, GoesOnWhereItWasSaved) {
  for (const int64_t workers : {1, 3}) {
    RunState state;
    AheadOptions options;
    options.workers = workers;
    options.elements = workers + 2;
    const auto make = [&] {
      return WorkAhead(std::make_unique<Squares>(60, /*broken=*/7), options, Running{&state, {}});
    };
    std::unique_ptr<Stage> stage = make();
    for (int64_t i = 0; i <= 60; ++i) {
      SavedState saved;
      ASSERT_TRUE(stage->SaveOrRestore(saved).ok());
      if (i % 2 == 0) {  // else the work goes on
        stage = make();
        SavedState restored(saved.values());
        ASSERT_TRUE(stage->SaveOrRestore(restored).ok());
      }
      Element element;
      const absl::StatusOr<bool> more = stage->Next(element);
      ASSERT_EQ(more.ok(), i == 60 || i % 7 != 0) << i;
      if (!more.ok()) continue;
      ASSERT_EQ(*more, i < 60);
      if (!*more) continue;
      ASSERT_EQ(element[0].scalar<int64_t>(), i * i);
    }
  }
}

// Elements of 1,000 bytes. Counts what was begun, and how many calls of Make run at once.
class Blocks final : public Work {
 public:
  struct Counts {
    std::atomic<int64_t> begun{0}, at_once{0}, most_at_once{0};
  };
  explicit Blocks(Counts& counts)
      : Work(std::make_unique<Numbers>(1 << 20, /*broken=*/0)), counts_(counts) {}
  absl::StatusOr<bool> Make(Element& element) const override {
    ++counts_.begun;
    const int64_t now = ++counts_.at_once;
    int64_t most = counts_.most_at_once;
    while (now > most && !counts_.most_at_once.compare_exchange_weak(most, now)) {
    }
    std::this_thread::yield();
    element.assign(1, Tensor::Vector<int64_t>(std::vector<int64_t>(125)));
    --counts_.at_once;
    return true;
  }

 private:
  Counts& counts_;
};

// Reads `count` elements. The most that were begun, but not given, from element `from` on.
int64_t MostAhead(Stage& stage, const Blocks::Counts& counts, int64_t count, int64_t from) {
  int64_t most = 0;
  for (int64_t given = 1; given <= count; ++given) {
    Element element;
    EXPECT_TRUE(stage.Next(element).value());
    if (given >= from) most = std::max(most, counts.begun - given);
    if (given % 16 == 0) absl::SleepFor(absl::Milliseconds(1));  // the workers fill the line
  }
  return most;
}

TEST(AheadTest, GrowsWithinTheMemoryOfTheBudget) {
  RunState state;
  TuningBudget budget(/*cpus=*/4, /*bytes=*/9'000);
  Running running{&state, {}};
  running.budget = &budget;
  AheadOptions options;
  options.elements = 2;
  options.autotune = true;
  Blocks::Counts counts;
  auto stage = WorkAhead(std::make_unique<Blocks>(counts), options, running);
  EXPECT_LE(MostAhead(*stage, counts, 500, 1), 8);  // 16 need more than 9,000 bytes
  stage.reset();
  EXPECT_TRUE(budget.Reserve(9'000));  // all was released
}

TEST(AheadTest, CallsWithinTheBudget) {
  RunState state;
  TuningBudget budget(/*cpus=*/3, /*bytes=*/2'500);
  Running running{&state, {}};
  running.budget = &budget;
  AheadOptions options;
  options.workers = options.elements = 8;
  options.all_cpus = true;
  Blocks::Counts counts;
  const auto stage = WorkAhead(std::make_unique<Blocks>(counts), options, running);
  // The size of an element is known when the first one is made.
  EXPECT_LE(MostAhead(*stage, counts, 500, /*from=*/4), 2);
  EXPECT_LE(counts.most_at_once, 3);
}

TEST(AheadTest, HasNoMoreThreadsThanItsCallsNeed) {
  RunState state;
  CallLimit limit(2);
  Running running{&state, {}};
  running.limit = &limit;
  AheadOptions options;
  options.workers = options.elements = 16;
  Blocks::Counts counts;
  const auto stage = WorkAhead(std::make_unique<Blocks>(counts), options, running);
  EXPECT_LE(MostAhead(*stage, counts, 500, 1), 16);
  EXPECT_LE(counts.most_at_once, 3);
}

TEST(AheadTest, RefusesTheStateOfAnotherDataSet) {
  RunState state;
  SavedState saved;
  int64_t number = 3;
  ASSERT_TRUE(saved.Fields("Numbers", number).ok());
  for (const std::vector<Tensor>& values : {std::vector<Tensor>(), saved.values()}) {
    const auto stage = WorkAhead(std::make_unique<Squares>(60, 0), {}, Running{&state, {}});
    SavedState restored(values);
    EXPECT_EQ(stage->SaveOrRestore(restored).code(), absl::StatusCode::kInvalidArgument);
  }
}

// Against a plain deque: numbers are kept as bytes until an element of another shape comes.
TEST(ElementBufferTest, GivesElementsAsTheyCame) {
  std::mt19937 draw(7);
  const ElementSpec spec{{kInt64, kFloat}, {PartialShape(Shape{}), PartialShape(Shape{3})}};
  ElementBuffer buffer(spec);
  std::deque<int64_t> expected;
  Element taken;  // its memory serves again
  const auto element = [](int64_t number, int64_t width) {
    Tensor floats(kFloat, Shape{width});
    std::fill_n(floats.mutable_data<float>(), width, static_cast<float>(number));
    return Element{Tensor::Scalar<int64_t>(number), std::move(floats)};
  };
  for (int64_t i = 0; i < 40000; ++i) {
    const int64_t width = i == 30000 ? 2 : 3;
    Element added = element(i, width);
    buffer.Add(added);
    expected.push_back(i);
    if (i % 10000 == 9999) {  // the same from what was saved
      SavedState saved;
      ASSERT_TRUE(buffer.SaveOrRestore(saved).ok());
      buffer = ElementBuffer(spec);
      SavedState restored(saved.values());
      ASSERT_TRUE(buffer.SaveOrRestore(restored).ok());
    }
    if (draw() % 5 < 2) continue;
    const size_t at = draw() % expected.size();
    ASSERT_TRUE(buffer.Take(at, taken).ok());
    const int64_t number = expected[at];
    ASSERT_EQ(taken[0].scalar<int64_t>(), number);
    ASSERT_EQ(taken[1].num_elements(), number == 30000 ? 2 : 3);
    ASSERT_EQ(taken[1].data<float>()[1], static_cast<float>(number));
    expected[at] = expected.front();
    expected.pop_front();
    ASSERT_EQ(buffer.size(), expected.size());
  }
}

TEST(AheadTest, GivesAllElementsInAnyOrder) {
  RunState state;
  AheadOptions options;
  options.workers = options.elements = 4;
  options.order = Order::kAny;
  const auto stage = WorkAhead(std::make_unique<Squares>(300, 0), options, Running{&state, {}});
  int64_t sum = 0;
  Element element;
  for (int i = 0; i < 300; ++i) {
    ASSERT_TRUE(*stage->Next(element));
    sum += element[0].scalar<int64_t>();
  }
  EXPECT_FALSE(*stage->Next(element));
  EXPECT_EQ(sum, int64_t{299} * 300 * 599 / 6);
}

TEST(AheadTest, EndsInTheMiddle) {
  for (int i = 0; i < 50; ++i) {
    RunState state;
    AheadOptions options;
    options.workers = options.elements = 3;
    const auto stage =
        WorkAhead(std::make_unique<Squares>(1 << 20, 0), options, Running{&state, {}});
    Element element;
    for (int k = 0; k < i % 4; ++k) ASSERT_TRUE(*stage->Next(element));
    if (i % 2 == 0) {
      state.cancel.Cancel(Cancelled("enough"));
      EXPECT_EQ(stage->Next(element).status().code(), absl::StatusCode::kCancelled);
    }
  }
}

TEST(DataSetRunTest, ServesManyThreadsEachElementOnce) {
  constexpr int kThreads = 8, kElements = 2000;
  const auto run = DataSetRun::Create(MakeRefCounted<NumberSet>(kElements));
  std::vector<std::atomic<int>> seen(kElements);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (bool more = true; more;) {
        CancelToken step;
        absl::Notification ended;
        std::thread canceller;
        // Some steps are cancelled meanwhile: they lose nothing.
        if (t == 0) canceller = std::thread([&] { step.Cancel(Cancelled("step")); });
        run->Next(step, [&](NextElement next) {
          if (next.ok() && *next) ++seen[static_cast<size_t>((**next)[0].scalar<int64_t>())];
          more = !next.ok() || next->has_value();
          ended.Notify();
        });
        ended.WaitForNotification();
        if (canceller.joinable()) canceller.join();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t i = 0; i < seen.size(); ++i) ASSERT_EQ(seen[i].load(), 1) << i;
}

TEST(DataSetRunTest, AnIteratorThatGoesEndsItsRequests) {
  for (int i = 0; i < 50; ++i) {
    auto iterator = MakeRefCounted<Iterator>("it", OneNumber());
    ASSERT_TRUE(iterator->Begin(MakeRefCounted<NumberSet>(1 << 20)).ok());
    std::vector<CancelToken> steps(10);
    absl::BlockingCounter left(10);
    for (CancelToken& step : steps)
      iterator->Next(step, [&](const NextElement&) { left.DecrementCount(); });
    const int64_t end = i % 2 == 0 ? 3 : 1 << 20;
    ASSERT_TRUE(iterator->Begin(MakeRefCounted<NumberSet>(end)).ok());
    iterator.reset();
    left.Wait();
  }
}

}  // namespace
}  // namespace sluice::kernels
