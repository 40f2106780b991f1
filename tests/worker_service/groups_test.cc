// SPDX-License-Identifier: Apache-2.0
#include "worker_service/groups/groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/cpu/collective/reductions.h"
#include "tests/worker_service/group_rounds.h"

namespace sluice::worker {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(GroupsTest, AddsUpOverAllMembers) {
  for (int members = 1; members <= 5; ++members) {
    GroupCluster cluster(members);
    for (int round = 0; round < 3; ++round) RunRound(cluster, members);
  }
}

TEST(GroupsTest, NamesWhoIsMissing) {
  GroupCluster cluster(3);
  Steps steps = StepsOf(cluster, 2);
  for (auto& step : steps) step->Begin({1}, 3);
  cluster.groups(1).Sweep(absl::Now() + absl::Seconds(2));  // asks the leader
  EXPECT_THAT(cluster.groups(0).Waiting(), ElementsAre(HasSubstr("have joined group 1")));
  EXPECT_THAT(cluster.groups(1).Waiting(absl::Now() + absl::Seconds(2)),
              ElementsAre(HasSubstr(Device(1) + " joins group 1 at its leader")));
  steps[1]->Cancel(DeadlineExceeded("Operation timed out."));
  EXPECT_TRUE(absl::IsDeadlineExceeded(ErrorOf(*steps[1])));
  // The other one does not wait for a member whose step has ended.
  EXPECT_THAT(ErrorOf(*steps[0]).message(),
              HasSubstr(Device(1) + " at host:1 left group 1 before it was complete"));
  for (auto& step : steps) {
    EXPECT_THAT(ErrorOf(*step).message(),
                AllOf(HasSubstr("members have joined group 1"),
                      HasSubstr("no member of /job:worker/replica:0/task:2 has joined")));
  }
  RunRound(cluster, 3);
}

TEST(GroupsTest, NamesTheMemberThatAnOperationWaitsFor) {
  GroupCluster cluster(2);
  RunRound(cluster, 2);
  const auto step = cluster.NewStep(0);
  step->Begin({1}, 2);
  EXPECT_THAT(cluster.groups(0).Waiting(absl::Now() + absl::Seconds(2)),
              ElementsAre(AllOf(HasSubstr("member 0, " + Device(0)),
                                HasSubstr("all-reduce Add, Id of float[1]"),
                                HasSubstr("waiting for member 1, " + Device(1)))));
  EXPECT_THAT(cluster.groups(0).Waiting(), testing::IsEmpty()) << "it has just begun";
}

TEST(GroupsTest, RejectsDifferentSizes) {
  GroupCluster cluster(3);
  Steps steps = StepsOf(cluster, 2);
  steps[0]->Begin({1}, 3);
  steps[1]->Begin({1}, 2);
  for (auto& step : steps) {
    const absl::Status error = ErrorOf(*step);
    EXPECT_TRUE(absl::IsInvalidArgument(error)) << error;
    EXPECT_THAT(error.message(),
                AllOf(HasSubstr("members of a group disagree"),
                      HasSubstr(Device(0) + " at host:0 joins group 1 with 3 CPU members"),
                      HasSubstr(Device(1) + " at host:1 joins group 1 with 2 CPU members")));
  }
  // A member that comes late gets the error too, once.
  const auto late = cluster.NewStep(2);
  late->Begin({1}, 3);
  EXPECT_THAT(ErrorOf(*late).message(), HasSubstr("members of a group disagree"));
  RunRound(cluster, 3);
}

TEST(GroupsTest, AnotherSizeEndsACompleteGroup) {
  GroupCluster cluster(2);
  RunRound(cluster, 2);
  Steps steps = StepsOf(cluster, 2);
  steps[0]->Begin({1}, 2);
  steps[1]->Begin({1}, 3);
  for (auto& step : steps) {
    EXPECT_THAT(ErrorOf(*step).message(), HasSubstr("group 1 has 2 members, but an operation of " +
                                                    Device(1) + " at host:1 says 3"));
  }
  RunRound(cluster, 2);
}

TEST(GroupsTest, OneInstanceKeyForTwoOperationsOfAStepIsAnError) {
  GroupCluster cluster(2);
  RunRound(cluster, 2);
  Steps steps = StepsOf(cluster, 2);
  for (auto& step : steps) step->Begin({1}, 2);
  for (auto& step : steps) EXPECT_EQ(step->Wait(), absl::OkStatus());
  for (auto& step : steps) step->Begin({1}, 2);
  for (auto& step : steps) {
    const absl::Status error = ErrorOf(*step);
    EXPECT_TRUE(absl::IsInvalidArgument(error)) << error;
    EXPECT_THAT(error.message(), HasSubstr("two operations with instance key 1 of group 1"));
  }
}

TEST(GroupsTest, AFailedStepStartsNoOtherOperation) {
  GroupCluster cluster(2);
  RunRound(cluster, 2);
  const auto zero = cluster.NewStep(0), one = cluster.NewStep(1);
  zero->Begin({1}, 2);
  one->Begin({1, 2}, 2);
  EXPECT_FALSE(zero->Wait().ok());
  // It would join the next incarnation and wait there.
  zero->Begin({1}, 2, /*instance=*/2);
  EXPECT_THAT(ErrorOf(*zero).message(), HasSubstr("disagree about instance 1"));
  EXPECT_FALSE(one->Wait().ok());
  RunRound(cluster, 2);
}

TEST(GroupsTest, TellsBothDescriptionsToMembersThatDisagree) {
  GroupCluster cluster(3);
  RunRound(cluster, 3);
  Steps steps = StepsOf(cluster, 3);
  steps[0]->Begin({1, 2}, 3);
  steps[1]->Begin({1, 2}, 3);
  steps[2]->Begin({1, 2, 3}, 3);
  for (auto& step : steps) {
    const absl::Status error = ErrorOf(*step);
    EXPECT_TRUE(absl::IsInvalidArgument(error)) << error;
    EXPECT_THAT(error.message(),
                AllOf(HasSubstr("Shape mismatch"), HasSubstr("disagree about instance 1"),
                      HasSubstr("all-reduce Add, Id of float[2]"),
                      HasSubstr("all-reduce Add, Id of float[3]")));
  }
  RunRound(cluster, 3);
}

TEST(GroupsTest, EndsAllWhenOneStepIsCancelled) {
  GroupCluster cluster(3);
  RunRound(cluster, 3);
  Steps steps = StepsOf(cluster, 3);
  steps[0]->Begin({1}, 3);
  steps[1]->Begin({1}, 3);
  steps[0]->Cancel(DeadlineExceeded("Operation timed out."));
  EXPECT_TRUE(absl::IsDeadlineExceeded(ErrorOf(*steps[0])));
  EXPECT_THAT(ErrorOf(*steps[0]).message(), HasSubstr("waiting for member"));
  const absl::Status other = ErrorOf(*steps[1]);
  EXPECT_TRUE(absl::IsAborted(other)) << other;
  EXPECT_THAT(other.message(), HasSubstr("member 0, " + Device(0) + " at host:0 ended group 1"));
  // The third begins too late. It gets the error too, so that all are at the same round.
  steps[2]->Begin({3}, 3);
  EXPECT_THAT(ErrorOf(*steps[2]).message(), HasSubstr("group 1 has failed since its last use"));
  RunRound(cluster, 3);
}

TEST(GroupsTest, NoticesAMemberThatIsGone) {
  GroupCluster cluster(3);
  RunRound(cluster, 3);
  Steps steps = StepsOf(cluster, 2);
  for (auto& step : steps) step->Begin({1}, 3);
  cluster.Kill(2);
  cluster.groups(0).Sweep(absl::Now() + absl::Seconds(2));
  cluster.groups(1).Sweep(absl::Now() + absl::Seconds(2));
  for (auto& step : steps) {
    const absl::Status error = ErrorOf(*step);
    EXPECT_TRUE(absl::IsUnavailable(error)) << error;
    EXPECT_THAT(error.message(),
                HasSubstr("member 2, " + Device(2) + " at host:2 does not answer"));
  }
}

TEST(GroupsTest, NoticesAMemberThatWasRestarted) {
  GroupCluster cluster(2);
  RunRound(cluster, 2);
  cluster.Restart(1);
  {
    const auto step = cluster.NewStep(0);
    step->Begin({1}, 2);
    cluster.groups(0).Sweep(absl::Now() + absl::Seconds(2));
    EXPECT_THAT(ErrorOf(*step).message(), HasSubstr("was restarted"));
  }
  RunRound(cluster, 2);
}

TEST(GroupsTest, FailsOnceForAllAfterAChannelBroke) {
  GroupCluster cluster(3);
  RunRound(cluster, 3);
  cluster.Break(1, 2, Unavailable("task 2 has stopped"));
  // Task 0 has not noticed. It waits for the others, which tell it.
  const auto zero = cluster.NewStep(0), one = cluster.NewStep(1);
  zero->Begin({1}, 3);
  one->Begin({1}, 3);
  for (auto* step : {zero.get(), one.get()}) {
    const absl::Status error = ErrorOf(*step);
    EXPECT_TRUE(absl::IsUnavailable(error)) << error;
    EXPECT_THAT(error.message(), HasSubstr("task 2 has stopped"));
  }
}

TEST(GroupsTest, NamesBothEndsOfABrokenConnection) {
  GroupCluster cluster(2);
  RunRound(cluster, 2);
  const auto step = cluster.NewStep(0);
  step->Begin({1}, 2);
  cluster.Break(0, 1, Unavailable("the stream ended"));
  EXPECT_THAT(ErrorOf(*step).message(),
              AllOf(HasSubstr("waiting for member 1, " + Device(1) + " at host:1"),
                    HasSubstr("the connection from member 1, " + Device(1) + " at host:1, to " +
                              GroupCluster::NameOf(0) + " at host:0 broke: the stream ended")));
}

TEST(GroupsTest, SaysThatAMemberEndsStepsWithoutTheOperation) {
  GroupCluster cluster(2);
  RunRound(cluster, 2);
  cluster.NewStep(1)->End(absl::OkStatus());
  cluster.NewStep(1)->End(absl::OkStatus());
  const auto step = cluster.NewStep(0);
  step->Begin({1}, 2);
  step->Cancel(DeadlineExceeded("Operation timed out."));  // asks the other member
  EXPECT_THAT(ErrorOf(*step).message(),
              HasSubstr("which has ended 2 steps without it since its last run of it"));
}

TEST(GroupsTest, AnotherSessionEndsTheIncarnationBefore) {
  GroupCluster cluster(2);
  RunRound(cluster, 2, "first");
  const auto old = cluster.NewStep(1, "first");
  old->Begin({2}, 2);
  // Task 0 has a new session. The round of the old one cannot end.
  const auto fresh = cluster.NewStep(0, "second");
  fresh->Begin({1}, 2);
  cluster.groups(1).Sweep(absl::Now() + absl::Minutes(1));
  EXPECT_THAT(ErrorOf(*old).message(), HasSubstr("joined group 1 again"));
  const auto other = cluster.NewStep(1, "second");
  other->Begin({2}, 2);
  EXPECT_EQ(fresh->Wait(), absl::OkStatus());
  EXPECT_EQ(other->Wait(), absl::OkStatus());
  EXPECT_THAT(other->values(), ElementsAre(3));
}

TEST(GroupsTest, AMemberBetweenTwoRoundsLearnsThatAnotherHasComeAgain) {
  GroupCluster cluster(2);
  RunRound(cluster, 2, "first");
  const auto fresh = cluster.NewStep(0, "second");
  fresh->Begin({1}, 2);
  // Its second round would be added to the first one of the other.
  const auto old = cluster.NewStep(1, "first");
  old->Begin({2}, 2);
  EXPECT_THAT(ErrorOf(*old).message(), AllOf(HasSubstr("group 1 has failed since its last use"),
                                             HasSubstr("joined group 1 again")));
  const auto again = cluster.NewStep(1, "first");
  again->Begin({2}, 2);
  EXPECT_EQ(fresh->Wait(), absl::OkStatus());
  EXPECT_EQ(again->Wait(), absl::OkStatus());
}

TEST(GroupsTest, TwoOpenSessionsOfADeviceAreAnError) {
  GroupCluster cluster(2);
  RunRound(cluster, 2, "first");
  RunRound(cluster, 2, "second");  // takes the place of the first
  CollectiveUses uses;
  uses.Add({{Device(0), 1, 1}});
  const auto first = cluster.NewStep(0, "first", &uses);
  first->Begin({1}, 2);
  const absl::Status error = ErrorOf(*first);
  EXPECT_TRUE(absl::IsFailedPrecondition(error)) << error;
  EXPECT_THAT(error.message(), AllOf(HasSubstr("two open sessions use group 1 as its member " +
                                               Device(0) + " at host:0: first, and second"),
                                     HasSubstr("Close one of them")));
  first->End(error);
  RunRound(cluster, 2, "second");  // is not disturbed
  for (int task : {0, 1}) cluster.groups(task).SessionEnded("second");
  RunRound(cluster, 2, "first");
}

TEST(GroupsTest, ASessionGoesOnIfTheClientOfTheOtherIsGone) {
  GroupCluster cluster(2);
  RunRound(cluster, 2, "first");
  RunRound(cluster, 2, "second");
  for (int task : {0, 1}) cluster.KillClient(task, "second");
  RunRound(cluster, 2, "first");
}

TEST(GroupsTest, NamesBothSessionsThatJoinAtOnce) {
  GroupCluster cluster(2);
  const auto first = cluster.NewStep(1, "first"), second = cluster.NewStep(1, "second");
  first->Begin({1}, 2);
  second->Begin({1}, 2);
  EXPECT_THAT(ErrorOf(*first).message(),
              HasSubstr(Device(1) + " at host:1 joined group 1 again: session second uses the "
                                    "group that session first has used"));
}

TEST(GroupsTest, NamesAMemberWhoseClientIsGone) {
  GroupCluster cluster(3);
  RunRound(cluster, 3);
  cluster.KillClient(1, "s");
  const auto zero = cluster.NewStep(0), two = cluster.NewStep(2);
  zero->Begin({1}, 3);
  two->Begin({1}, 3);
  for (int task : {0, 2}) cluster.groups(task).Sweep(absl::Now() + absl::Seconds(2));
  for (auto* step : {zero.get(), two.get()}) {
    const absl::Status error = ErrorOf(*step);
    EXPECT_TRUE(absl::IsUnavailable(error)) << error;
    EXPECT_THAT(error.message(), HasSubstr("member 1, " + Device(1) +
                                           " at host:1 takes no further step: the client of s"));
  }
  RunRound(cluster, 3, "next");
}

TEST(GroupsTest, ATaskOutsideOfACompleteGroupIsRejected) {
  GroupCluster cluster(3);
  RunRound(cluster, 2);
  const auto step = cluster.NewStep(2);
  step->Begin({1}, 2);
  EXPECT_THAT(ErrorOf(*step).message(),
              AllOf(HasSubstr("joins group 1"), HasSubstr("this group has its 2 members")));
}

TEST(GroupsTest, FailsIfTheLeaderIsGone) {
  GroupCluster cluster(2);
  cluster.Kill(0);
  const auto step = cluster.NewStep(1);
  step->Begin({1}, 2);
  const absl::Status error = ErrorOf(*step);
  EXPECT_TRUE(absl::IsUnavailable(error)) << error;
  EXPECT_THAT(error.message(),
              HasSubstr("joining group 1 at its leader " + GroupCluster::NameOf(0)));
}

// The leader may have ended because that member was gone.
TEST(GroupsTest, NamesTheMemberThatWasGoneBeforeTheLeader) {
  GroupCluster cluster(3);
  RunRound(cluster, 3);
  for (int task : {0, 2}) cluster.Kill(task);
  cluster.Break(1, 2, Unavailable("the connection was reset"));
  const auto told = cluster.NewStep(1);
  told->Begin({1}, 3);
  EXPECT_THAT(ErrorOf(*told).message(), HasSubstr("group 1 has failed since its last use"));
  const auto step = cluster.NewStep(1);
  step->Begin({1}, 3);
  EXPECT_THAT(
      ErrorOf(*step).message(),
      AllOf(HasSubstr("joining group 1 at its leader " + GroupCluster::NameOf(0)),
            HasSubstr("the group before has ended: the connection from member 2, " + Device(2))));
}

TEST(GroupsTest, WaitsForALeaderThatHasNotStarted) {
  GroupCluster cluster(2, absl::Minutes(1));
  cluster.Kill(0);
  const auto one = cluster.NewStep(1);
  one->Begin({1}, 2);
  cluster.groups(1).Sweep();
  EXPECT_FALSE(one->done());
  cluster.Restart(0);
  const auto zero = cluster.NewStep(0);
  zero->Begin({2}, 2);
  cluster.groups(1).Sweep();
  for (auto* step : {zero.get(), one.get()}) {
    EXPECT_EQ(step->Wait(), absl::OkStatus());
    EXPECT_THAT(step->values(), ElementsAre(3));
  }
}

TEST(GroupsTest, TimesOutByItself) {
  GroupCluster cluster(2);
  RunRound(cluster, 2);
  const auto step = cluster.NewStep(0);
  CollectiveCall call;
  call.group_key = 1;
  call.group_size = 2;
  call.instance_key = 1;
  call.timeout = absl::Milliseconds(50);
  call.reduction = *kernels::FindReduction("Add", "Id", kFloat);
  call.input = Tensor::Vector<float>({1});
  call.output = Tensor(kFloat, {1});
  step->Begin(std::move(call));
  EXPECT_TRUE(absl::IsDeadlineExceeded(ErrorOf(*step)));
  EXPECT_THAT(ErrorOf(*step).message(), HasSubstr("longer than its timeout of 50ms"));
}

CollectiveCall GatherOf(float value, int members, int rank) {
  CollectiveCall call;
  call.op = CollectiveOp::kAllGather;
  call.group_key = 1;
  call.group_size = members;
  call.instance_key = 1;
  call.rank = rank;
  call.input = Tensor::Vector<float>({value});
  call.output = Tensor(kFloat, {members});
  return call;
}

TEST(GroupsTest, TakesTheRanksThatProgramsGive) {
  GroupCluster cluster(3);
  Steps steps = StepsOf(cluster, 3);
  const int ranks[] = {1, 2, 0};
  for (int task : {0, 1, 2})
    steps[static_cast<size_t>(task)]->Begin(
        GatherOf(static_cast<float>(10 + task), 3, ranks[task]));
  for (const auto& step : steps) {
    ASSERT_EQ(step->Wait(), absl::OkStatus());
    EXPECT_THAT(step->values(), ElementsAre(12, 10, 11));
  }
  const auto other = cluster.NewStep(0);
  other->Begin(GatherOf(1, 3, 0));
  const absl::Status error = ErrorOf(*other);
  EXPECT_TRUE(absl::IsInvalidArgument(error)) << error;
  EXPECT_THAT(error.message(), HasSubstr("says that its rank is 0, but group 1 was formed by "
                                         "operations that give it rank 1"));
}

TEST(GroupsTest, RejectsEqualRanks) {
  GroupCluster cluster(2);
  Steps steps = StepsOf(cluster, 2);
  for (const auto& step : steps) step->Begin(GatherOf(1, 2, 1));
  for (const auto& step : steps) {
    const absl::Status error = ErrorOf(*step);
    EXPECT_TRUE(absl::IsInvalidArgument(error)) << error;
    EXPECT_THAT(error.message(), AllOf(HasSubstr(Device(0) + " at host:0 joins group 1 with 2 CPU "
                                                             "members as rank 1"),
                                       HasSubstr(Device(1) + " at host:1 joins group 1")));
  }
}

// An all-reduce of one value, which begins after other instances.
CollectiveCall SumAfter(int64_t instance, std::vector<int64_t> wait_for) {
  CollectiveCall call;
  call.group_key = 1;
  call.group_size = 2;
  call.instance_key = instance;
  call.reduction = *kernels::FindReduction("Add", "Id", kFloat);
  call.input = Tensor::Vector<float>({1});
  call.output = Tensor(kFloat, {1});
  call.wait_for = std::move(wait_for);
  return call;
}

TEST(GroupsTest, BeginsAnOperationAfterThoseThatItWaitsFor) {
  GroupCluster cluster(2);
  RunRound(cluster, 2);
  CollectiveUses uses;
  uses.Add({{Device(0), 1, 2}, {Device(0), 1, 3}});
  const auto step = cluster.NewStep(0, "s", &uses), two = cluster.NewStep(1),
             three = cluster.NewStep(1);
  two->Begin({1}, 2, /*instance=*/2);
  three->Begin({1}, 2, /*instance=*/3);
  step->Begin(SumAfter(3, {2, 77}));  // the graph has no instance 77
  EXPECT_FALSE(step->done());
  EXPECT_FALSE(three->done());
  step->Begin(SumAfter(2, {}));
  for (auto* one : {step.get(), two.get(), three.get()}) EXPECT_EQ(one->Wait(), absl::OkStatus());
}

TEST(GroupsTest, OperationsThatWaitForEachOtherAreAnError) {
  GroupCluster cluster(2);
  RunRound(cluster, 2);
  CollectiveUses uses;
  uses.Add({{Device(0), 1, 2}, {Device(0), 1, 3}});
  const auto step = cluster.NewStep(0, "s", &uses);
  step->Begin(SumAfter(3, {2}));
  step->Begin(SumAfter(2, {3}));
  EXPECT_THAT(ErrorOf(*step).message(), HasSubstr("instance 2 of group 1 waits for itself"));
  const auto late = cluster.NewStep(0, "s", &uses);
  late->Begin(SumAfter(3, {2}));
  late->Cancel(DeadlineExceeded("Operation timed out."));
  EXPECT_THAT(ErrorOf(*late).message(), HasSubstr("for an operation that has not begun"));
}

TEST(GroupsTest, AMessageIsWrittenToItsTargetOnce) {
  Group group(/*incarnation=*/7, /*peers=*/nullptr);
  const RoundId round{.instance = 1};
  const auto key_of = [&](const std::string& description) {
    return Group::KeyOf(round, Group::HashOf(description), /*from=*/1, /*to=*/0, /*number=*/3);
  };
  const EdgeKey key = key_of("all-gather");
  const Tensor target(kFloat, Shape{4});
  const auto is_target = [&](const EdgeKey& of, DType dtype, const Shape& shape) {
    return group.Prepare(of, dtype, shape)->raw() == target.raw();
  };
  ASSERT_EQ(group.Begin(round, 0, "all-gather"), std::nullopt);
  group.SetTarget(key, target);
  EXPECT_FALSE(is_target(key_of("all-reduce"), kFloat, Shape{4}));
  EXPECT_TRUE(is_target(key, kFloat, Shape{4}));
  EXPECT_FALSE(is_target(key, kFloat, Shape{4}));
  group.SetTarget(key, target);
  EXPECT_FALSE(is_target(key, kInt32, Shape{4}));
  EXPECT_FALSE(is_target(key, kFloat, Shape{2}));
  group.Finish(round, 0);
  EXPECT_FALSE(is_target(key, kFloat, Shape{4}));
  EXPECT_TRUE(target.unique());
}

TEST(GroupsTest, GroupsAndInstancesDoNotMix) {
  constexpr int kGroups = 20, kInstances = 10;
  GroupCluster cluster(2);
  std::vector<std::unique_ptr<GroupCluster::Step>> steps;
  for (int task : {0, 1}) {
    for (int i = 0; i < kGroups * kInstances; ++i) {
      // in another order on each task
      const int n = task == 0 ? i : (i * 7 + 3) % (kGroups * kInstances);
      steps.push_back(cluster.NewStep(task));
      steps.back()->Begin({static_cast<float>(n)}, 2, n % kInstances, n / kInstances);
    }
  }
  for (size_t i = 0; i < steps.size(); ++i) {
    ASSERT_EQ(steps[i]->Wait(), absl::OkStatus());
    const int n = static_cast<int>(i) % (kGroups * kInstances);
    const int mine = i < steps.size() / 2 ? n : (n * 7 + 3) % (kGroups * kInstances);
    EXPECT_THAT(steps[i]->values(), ElementsAre(2 * mine));
  }
}

}  // namespace
}  // namespace sluice::worker
