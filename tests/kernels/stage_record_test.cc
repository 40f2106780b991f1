// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/dataset/stage_record.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "kernels/any/dataset/named_sets.h"
#include "kernels/common/dataset/ahead.h"
#include "kernels/common/dataset/iterator.h"

namespace sluice::kernels {
namespace {

class Numbers final : public Stage {
 public:
  explicit Numbers(int64_t end) : end_(end) {}
  absl::StatusOr<bool> Next(Element& element) override {
    if (next_ == end_) return false;
    element.assign(1, Tensor::Scalar<int64_t>(next_++));
    return true;
  }

 private:
  const int64_t end_;
  int64_t next_ = 0;
};

class Slowly final : public Work {
 public:
  using Work::Work;
  absl::StatusOr<bool> Make(Element&) const override {
    absl::SleepFor(absl::Milliseconds(4));
    return true;
  }
};

int64_t ReadAll(Stage& stage) {
  Element element;
  for (int64_t count = 0;; ++count) {
    const absl::StatusOr<bool> more = stage.Next(element);
    EXPECT_TRUE(more.ok()) << more.status();
    if (!more.ok() || !*more) return count;
  }
}

TEST(TickSumTest, AddsDurationsThatOverlap) {
  const TickClock::User clock;
  const int64_t begin = TickClock::NowMicros();
  TickSum sum, alone;
  alone.BeginAlone();
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      sum.Begin();
      const int64_t before = TickClock::NowMicros();
      while (TickClock::NowMicros() < before + 2000) absl::SleepFor(absl::Microseconds(200));
      sum.End();
    });
  }
  for (std::thread& thread : threads) thread.join();
  alone.EndAlone();
  const int64_t passed = TickClock::NowMicros() - begin;
  EXPECT_GE(sum.Micros(), 3 * 2000);
  EXPECT_LE(sum.Micros(), 3 * passed);
  EXPECT_GE(alone.Micros(), 2000);
  EXPECT_LE(alone.Micros(), passed);
}

TEST(TickSumTest, CountsADurationThatHasNotEnded) {
  const TickClock::User clock;
  TickSum sum;
  sum.Begin();
  EXPECT_EQ(sum.Micros(), 0);
  const int64_t before = TickClock::NowMicros();
  while (TickClock::NowMicros() == before) absl::SleepFor(absl::Microseconds(200));
  EXPECT_GT(sum.Micros(), 0);
  sum.End();
  const int64_t ended = sum.Micros();
  EXPECT_GT(ended, 0);
  while (TickClock::NowMicros() < before + 5000) absl::SleepFor(absl::Microseconds(200));
  EXPECT_EQ(sum.Micros(), ended);
}

TEST(StageRecordTest, CountsEachStageUnderItsName) {
  const TickClock::User clock;
  RunState state;
  StageRecord iterator;
  StageRecord* const slow = iterator.Input("slow", "ParallelMapDataset");
  StageRecord* const numbers = slow->Input("numbers", "RangeDataset");
  EXPECT_EQ(slow->Input("numbers", "RangeDataset"), numbers);
  EXPECT_NE(slow->Input("numbers", "TensorDataset"), numbers);
  Running running{&state, {}};
  running.record = slow;
  AheadOptions options;
  options.workers = options.elements = 2;
  const auto read = [&] {
    auto input = Recorded(std::make_unique<Numbers>(20), numbers);
    const auto stage =
        Recorded(WorkAhead(std::make_unique<Slowly>(std::move(input)), options, running), slow);
    EXPECT_EQ(ReadAll(*stage), 20);
    std::vector<StageReport> reports;
    iterator.ReportInputs(-1, reports);
    return reports;
  };
  std::vector<StageReport> reports = read();
  ASSERT_EQ(reports.size(), 3u);
  EXPECT_EQ(reports[0].node, "slow");
  EXPECT_EQ(reports[0].reader, -1);
  EXPECT_EQ(reports[0].elements, 20);
  EXPECT_EQ(reports[0].lines, 1);
  EXPECT_EQ(reports[0].workers, 2);
  EXPECT_GT(reports[0].waited_us, 20'000);
  EXPECT_GT(reports[0].making_us, 40'000);  // 20 times 4 ms, by two workers
  EXPECT_EQ(reports[1].op, "RangeDataset");
  EXPECT_EQ(reports[1].reader, 0);
  EXPECT_EQ(reports[1].elements, 20);
  EXPECT_EQ(reports[1].lines, 0);
  // The stages of a second run have ended too when it is read.
  read();
  reports.clear();
  iterator.ReportInputs(-1, reports);
  EXPECT_EQ(reports[0].elements, 40);
  EXPECT_EQ(reports[0].lines, 0);
  EXPECT_EQ(reports[0].workers, 0);
  EXPECT_EQ(reports[1].elements, 40);
}

class NumberSet final : public DataSet {
 public:
  explicit NumberSet(RefPtr<const DataSet> input)
      : DataSet({{kInt64}, {PartialShape(Shape{})}}), input_(std::move(input)) {}
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    if (!input_) return std::make_unique<Numbers>(5);
    SLUICE_ASSIGN(auto input, input_->Begin(running));
    return PrefetchOf(std::move(input), /*elements=*/2, /*autotune=*/false, running);
  }

 private:
  const RefPtr<const DataSet> input_;
};

// Of numbers, or of the data set in its input.
struct MakeNumbers {
  absl::Status Run(KernelContext& ctx) const {
    RefPtr<const DataSet> input;
    if (ctx.num_inputs() > 0) {
      SLUICE_ASSIGN(input, DataSetInput(ctx, 0));
    }
    SetDataSet(ctx, MakeRefCounted<NumberSet>(std::move(input)));
    return absl::OkStatus();
  }
};
struct SameSet {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(RefPtr<const DataSet> input, DataSetInput(ctx, 0));
    SetDataSet(ctx, std::move(input));
    return absl::OkStatus();
  }
};

TEST(NamedSetsTest, ARunReportsItsStagesUnderTheNamesOfTheirNodes) {
  auto plain = std::make_shared<KernelRegistry>();
  plain->Add<MakeNumbers>("Make", kCpu);
  plain->Add<SameSet>("Same", kCpu);
  KernelRegistry kernels;
  AddWithNamedSets(plain, kernels);
  const auto run = [&](const std::string& name, const std::string& op, std::vector<Slot> inputs) {
    NodeSpec node;
    node.name = name;
    node.op = op;
    node.output_types = {kVariant};
    auto kernel = kernels.Make(node, kCpu);
    EXPECT_TRUE(kernel.ok()) << kernel.status();
    std::vector<Slot> outputs(1);
    const StepContext step;
    KernelContext ctx(step, absl::MakeSpan(inputs), absl::MakeSpan(outputs),
                      node.output_types.data(), 0, 0);
    EXPECT_TRUE((*kernel)->Run(ctx).ok());
    return outputs;
  };
  const std::vector<Slot> made = run("ahead", "Make", run("same", "Same", run("n", "Make", {})));
  const auto reading = DataSetRun::Create(
      RefPtr<const DataSet>(made[0].value.scalar<Variant>().get_if<DataSet>()), "it");
  EXPECT_TRUE(reading->Report().stages.empty());
  CancelToken step;
  for (int i = 0; i < 6; ++i) {
    absl::Notification answered;
    reading->Next(step, [&](const NextElement& next) {
      EXPECT_TRUE(next.ok() && next->has_value() == (i < 5));
      answered.Notify();
    });
    answered.WaitForNotification();
  }
  const PipelineReport report = reading->Report();
  EXPECT_EQ(report.iterator, "it");
  ASSERT_EQ(report.stages.size(), 2u);
  EXPECT_EQ(report.stages[0].node, "ahead");
  EXPECT_EQ(report.stages[0].elements, 5);
  EXPECT_EQ(report.stages[0].workers, 1);
  EXPECT_EQ(report.stages[1].node, "n");
  EXPECT_EQ(report.stages[1].op, "Make");
  EXPECT_EQ(report.stages[1].reader, 0);
  EXPECT_EQ(report.stages[1].elements, 5);
}

// The first of the numbers 0, 1, ... from `wanted` on, and those after it. With workers, they read
// the numbers ahead.
class Sought final : public DataSet {
 public:
  explicit Sought(int64_t workers)
      : DataSet({{kInt64}, {PartialShape(Shape{})}}), workers_(workers) {}
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    StageRecord* const record = running.record->Input("numbers", "RangeDataset");
    std::unique_ptr<Stage> input = Recorded(std::make_unique<Endless>(read_), record);
    AheadOptions options;
    options.workers = options.elements = workers_;
    if (workers_ > 0) input = WorkAhead(std::make_unique<Work>(std::move(input)), options, running);
    return std::make_unique<Run>(std::move(input), wanted_, running);
  }
  int64_t read() const { return read_; }
  void SetWanted(int64_t wanted) const { wanted_ = wanted; }

 private:
  class Endless final : public Stage {
   public:
    explicit Endless(std::atomic<int64_t>& read) : read_(read) {}
    absl::StatusOr<bool> Next(Element& element) override {
      element.assign(1, Tensor::Scalar<int64_t>(read_++));
      return true;
    }

   private:
    std::atomic<int64_t>& read_;
  };
  class Run final : public Stage {
   public:
    Run(std::unique_ptr<Stage> input, const std::atomic<int64_t>& wanted, const Running& running)
        : input_(std::move(input)), wanted_(wanted), running_(running) {}
    absl::StatusOr<bool> Next(Element& element) override {
      do {
        SLUICE_RETURN_IF_ERROR(running_.Check());
        SLUICE_ASSIGN(const bool more, input_->Next(element));
        EXPECT_TRUE(more);
      } while (element[0].scalar<int64_t>() < wanted_);
      return true;
    }

   private:
    const std::unique_ptr<Stage> input_;
    const std::atomic<int64_t>& wanted_;
    const Running running_;
  };

  const int64_t workers_;
  mutable std::atomic<int64_t> read_{0}, wanted_{int64_t{1} << 60};
};

TEST(DataSetRunTest, StandsStillFromADeadlineToTheNextRequest) {
  for (const int64_t workers : {0, 3}) {
    auto sought = MakeRefCounted<Sought>(workers);
    const auto run = DataSetRun::Create(RefPtr<const DataSet>(sought.get()));
    for (int64_t i = 1; i <= 3; ++i) {
      CancelToken late;
      absl::Status why;
      const int64_t before = sought->read();
      run->Next(late, [&](const NextElement& next) { why = next.status(); });
      while (sought->read() < before + 100) std::this_thread::yield();
      late.Cancel(DeadlineExceeded("late"));
      EXPECT_EQ(why.code(), absl::StatusCode::kDeadlineExceeded);
      const int64_t read = sought->read();
      for (int k = 0; k < 1000; ++k) std::this_thread::yield();
      EXPECT_LE(sought->read(), read + 1);  // a stage may have begun one
    }
    // The next request gets the first of the numbers that nobody has seen, and then all others.
    const int64_t wanted = sought->read() + 10;
    sought->SetWanted(wanted);
    for (int64_t i = 0; i < 20; ++i) {
      CancelToken step;
      absl::Notification answered;
      run->Next(step, [&](const NextElement& next) {
        EXPECT_TRUE(next.ok());
        EXPECT_EQ((**next)[0].scalar<int64_t>(), wanted + i);
        answered.Notify();
      });
      answered.WaitForNotification();
    }
    run->Cancel(Cancelled("enough"));
  }
}

TEST(RunningPipelinesTest, ListsWhatLives) {
  class Named final : public RunningPipelines::Pipeline {
   public:
    explicit Named(std::string name) : name_(std::move(name)) {}
    PipelineReport Report() const override { return {name_, ""}; }

   private:
    const std::string name_;
  };
  ResourceStore store;
  EXPECT_TRUE(RunningPipelines::ReportsOf(store).empty());
  const auto first = std::make_shared<const Named>("first");
  ASSERT_TRUE(RunningPipelines::Add(store, first).ok());
  for (int i = 0; i < 100; ++i)
    ASSERT_TRUE(RunningPipelines::Add(store, std::make_shared<const Named>("ended")).ok());
  store.Clear(ResourceStore::kDefaultContainer);
  const std::vector<PipelineReport> reports = RunningPipelines::ReportsOf(store);
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].iterator, "first");
}

}  // namespace
}  // namespace sluice::kernels
