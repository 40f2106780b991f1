// SPDX-License-Identifier: Apache-2.0
// Steps that fail by themselves, and what the other members of their groups get.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/worker_service/group_rounds.h"

namespace sluice::worker {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// The step of a task fails before its operation.
void FailEarly(GroupCluster& cluster, int task, const std::string& session = "s") {
  CollectiveUses uses;
  uses.Add({CollectiveUse{Device(task), 1, 1}});
  cluster.NewStep(task, session, &uses)->End(OutOfRange("End of sequence"));
}

// The operation of a task fails because the step of another one has failed.
void FailsToJoin(GroupCluster& cluster, int task, int members, const std::string& session = "s") {
  const auto step = cluster.NewStep(task, session);
  step->Begin({1}, members);
  EXPECT_THAT(ErrorOf(*step).message(), HasSubstr("End of sequence"));
}

TEST(GroupFailuresTest, EndsAllWhenAStepFailsBeforeItsOperation) {
  GroupCluster cluster(2);
  CollectiveUses uses;
  {
    const auto first = cluster.NewStep(0, "s", &uses);
    const auto other = cluster.NewStep(1);
    first->Begin({1}, 2);
    other->Begin({2}, 2);
    EXPECT_EQ(first->Wait(), absl::OkStatus());
    EXPECT_EQ(other->Wait(), absl::OkStatus());
  }
  const auto waiting = cluster.NewStep(1);
  waiting->Begin({2}, 2);
  cluster.NewStep(0, "s", &uses)->End(OutOfRange("End of sequence"));
  const absl::Status error = ErrorOf(*waiting);
  EXPECT_TRUE(absl::IsAborted(error)) << error;
  EXPECT_THAT(error.message(),
              AllOf(HasSubstr(Device(0)), HasSubstr("failed before its collective operation"),
                    HasSubstr("End of sequence")));
  RunRound(cluster, 2);
}

TEST(GroupFailuresTest, TellsThoseThatComeAfterAStepHasFailed) {
  GroupCluster cluster(4);
  Steps steps = StepsOf(cluster, 4);
  steps[0]->Begin({1}, 4);
  FailEarly(cluster, 1);
  EXPECT_THAT(ErrorOf(*steps[0]).message(), HasSubstr("failed before its collective operation"));
  for (size_t late : {2, 3}) {
    steps[late]->Begin({1}, 4);
    const absl::Status error = ErrorOf(*steps[late]);
    EXPECT_TRUE(absl::IsAborted(error)) << error;
    EXPECT_THAT(error.message(), AllOf(HasSubstr(Device(1) + " at host:1 failed before"),
                                       HasSubstr("End of sequence")));
  }
  RunRound(cluster, 4);  // all have heard of it
}

TEST(GroupFailuresTest, IsFormedAfterTheStepsOfAllHaveFailed) {
  GroupCluster cluster(3);
  for (int task : {0, 1, 1, 0, 2, 2}) FailEarly(cluster, task);
  RunRound(cluster, 3);
}

// The first member is at its next step before the same step of the others has failed.
TEST(GroupFailuresTest, AFailedStepDoesNotEndTheNextStepOfAnother) {
  GroupCluster cluster(3);
  Steps next = StepsOf(cluster, 3);
  for (int task : {0, 1, 2}) {
    FailEarly(cluster, task);
    next[static_cast<size_t>(task)]->Begin({1}, 3);
  }
  for (auto& step : next) EXPECT_EQ(step->Wait(), absl::OkStatus());
}

// A member runs steps of which the first ones fail, by themselves or because of another.
TEST(GroupFailuresTest, EachFailedStepIsOneErrorOfEachMember) {
  GroupCluster cluster(3);
  Steps third = StepsOf(cluster, 3);
  FailEarly(cluster, 0);
  FailEarly(cluster, 0);
  third[0]->Begin({1}, 3);
  FailsToJoin(cluster, 1, 3);
  FailsToJoin(cluster, 1, 3);
  third[1]->Begin({1}, 3);
  FailsToJoin(cluster, 2, 3);
  FailEarly(cluster, 2);
  third[2]->Begin({1}, 3);
  for (auto& step : third) EXPECT_EQ(step->Wait(), absl::OkStatus());
}

TEST(GroupFailuresTest, StepsThatFailAfterTheEndOfTheGroupCount) {
  GroupCluster cluster(2);
  RunRound(cluster, 2);
  FailEarly(cluster, 0);  // it leaves the group
  FailEarly(cluster, 0);
  Steps third = StepsOf(cluster, 2);
  third[0]->Begin({1}, 2);
  FailsToJoin(cluster, 1, 2);
  FailsToJoin(cluster, 1, 2);
  third[1]->Begin({1}, 2);
  for (auto& step : third) EXPECT_EQ(step->Wait(), absl::OkStatus());
}

// As if the leader hears of the failed step before it hears that the session before was closed.
TEST(GroupFailuresTest, TheStepOfANewSessionFailsWhileTheGroupOfTheOldOneIsThere) {
  GroupCluster cluster(2);
  RunRound(cluster, 2, "first");
  FailEarly(cluster, 0, "second");
  Steps next = StepsOf(cluster, 2, "second");
  next[0]->Begin({1}, 2);
  FailsToJoin(cluster, 1, 2, "second");
  for (int task : {0, 1}) cluster.groups(task).SessionEnded("first");
  next[1]->Begin({1}, 2);
  for (auto& step : next) EXPECT_EQ(step->Wait(), absl::OkStatus());
}

TEST(GroupFailuresTest, AnOldSessionDoesNotEndTheGroupOfTheNewOne) {
  GroupCluster cluster(2);
  RunRound(cluster, 2, "first");
  RunRound(cluster, 2, "second");
  FailEarly(cluster, 0, "first");
  FailEarly(cluster, 0, "first");
  RunRound(cluster, 2, "second");
}

TEST(GroupFailuresTest, EndsAllWhenAStepFailsAfterItsOperation) {
  GroupCluster cluster(2);
  {
    Steps steps = StepsOf(cluster, 2);
    for (auto& step : steps) step->Begin({1}, 2);
    for (auto& step : steps) EXPECT_EQ(step->Wait(), absl::OkStatus());
    steps[0]->End(DeadlineExceeded("Operation timed out."));
  }
  // Member 0 runs the same step again. Member 1 is one step ahead, and must not add to it.
  const auto next = cluster.NewStep(1);
  next->Begin({2}, 2);
  EXPECT_THAT(ErrorOf(*next).message(),
              AllOf(HasSubstr(Device(0) + " at host:0 failed after its collective operation"),
                    HasSubstr("Operation timed out")));
  RunRound(cluster, 2);
}

}  // namespace
}  // namespace sluice::worker
