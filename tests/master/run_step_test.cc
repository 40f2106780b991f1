// SPDX-License-Identifier: Apache-2.0
#include "master/run_step.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "tests/master/fake_worker.h"

namespace sluice::master {
namespace {

TEST(StepNumbersTest, KnowsTheOldestThatLives) {
  StepNumbers numbers(77);
  uint64_t oldest = 0;
  const auto one = numbers.Begin(&oldest);
  EXPECT_EQ(one, (transport::StepId{77, 1}));
  EXPECT_EQ(oldest, 1u);
  const auto two = numbers.Begin(&oldest);
  const auto three = numbers.Begin(&oldest);
  EXPECT_EQ(oldest, 1u);
  numbers.End(two);
  const auto four = numbers.Begin(&oldest);
  EXPECT_EQ(oldest, 1u);
  numbers.End(one);
  const auto five = numbers.Begin(&oldest);
  EXPECT_EQ(oldest, three.number);
  for (const auto& step : {three, four, five}) numbers.End(step);
  EXPECT_EQ(numbers.Begin(&oldest).number, 6u);
  EXPECT_EQ(oldest, 6u);
}

// A worker whose runs fail at a time that a test gives.
class LateWorker final : public FakeWorker {
 public:
  LateWorker(Timer* timer, absl::Time answers, absl::Status error)
      : FakeWorker("/job:w/replica:0/task:0"),
        timer_(timer),
        answers_(answers),
        error_(std::move(error)) {}
  void Run(transport::RunGraph, const transport::CallOptions&,
           transport::Reply<transport::RunGraphResult> done) override {
    timer_->At(answers_, [error = error_, done = std::move(done)]() mutable { done(error); });
  }

 private:
  Timer* const timer_;
  const absl::Time answers_;
  const absl::Status error_;
};

// The one timer runs its callbacks in their order, also on a busy machine.
class DeadlineTest : public testing::Test {
 protected:
  // The answer to a step whose worker fails so long after the deadline.
  absl::Status Run(absl::Duration late, const absl::Status& error) {
    const absl::Time deadline = absl::Now() + absl::Milliseconds(400);
    LateWorker worker(&timer_, deadline + late, error);
    auto graph = std::make_shared<CompiledGraph>();
    graph->partitions = {{worker.task, &worker, 1, nullptr}};
    StepNumbers numbers(77);
    StepArgs args;
    args.graph = std::move(graph);
    args.own_task = worker.task;
    args.deadline = deadline;
    args.numbers = &numbers;
    args.timer = &timer_;
    absl::Notification ended;
    args.ended = [&] { ended.Notify(); };
    absl::Status status;
    RunStep(std::move(args), [&](const absl::StatusOr<transport::RunStepResult>& result) {
      status = result.status();
    });
    ended.WaitForNotification();
    numbers.AwaitEnds();
    return status;
  }

  Timer timer_;
};

TEST_F(DeadlineTest, AWorkersErrorThatIsALittleLateSaysWhatItWaitedFor) {
  const absl::Status status =
      Run(absl::Milliseconds(20), DeadlineExceeded("waiting for member 1, which is running it"));
  EXPECT_TRUE(absl::IsDeadlineExceeded(status)) << status;
  EXPECT_THAT(std::string(status.message()), testing::HasSubstr("waiting for member 1"));
}

TEST_F(DeadlineTest, TheAnswerDoesNotWaitLongForAWorker) {
  const absl::Status status = Run(absl::Milliseconds(250), Aborted("far too late"));
  EXPECT_TRUE(absl::IsDeadlineExceeded(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              testing::HasSubstr("had not ended on /job:w/replica:0/task:0"));
}

TEST_F(DeadlineTest, AWorkerThatWaitedUntilTheDeadlineIsNamed) {
  const absl::Status status =
      Run(absl::Milliseconds(20),
          MarkDerived(
              DeadlineExceeded(transport::kTimedOut, " it waited for tensors of another task.")));
  EXPECT_TRUE(absl::IsDeadlineExceeded(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              testing::AllOf(testing::HasSubstr("had not ended on /job:w/replica:0/task:0"),
                             testing::HasSubstr("waited for tensors of another task")));
}

}  // namespace
}  // namespace sluice::master
