// SPDX-License-Identifier: Apache-2.0
// Members that leave a group, and what the others may still finish.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/worker_service/group_rounds.h"

namespace sluice::worker {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// Member 0 ends one round before the others, in one of two ways.
class GroupLeaverTest : public testing::TestWithParam<bool> {
 protected:
  // After its first round, the source of instance 2 does not wait for the others.
  static CollectiveCall Broadcast(bool source, float value) {
    CollectiveCall call;
    call.op = CollectiveOp::kBroadcast;
    call.group_key = 1;
    call.group_size = 3;
    call.instance_key = 2;
    call.hint = "binomial_tree";
    call.source = source;
    if (source) call.input = Tensor::Vector<float>({value});
    call.output = source ? call.input : Tensor(kFloat, Shape{1});
    return call;
  }
  void Leave() {
    if (GetParam())
      cluster_.groups(0).SessionEnded("s");
    else
      cluster_.NewStep(0, "s", &uses_)->End(OutOfRange("End of sequence"));
  }
  auto Named() const {
    return AllOf(HasSubstr(Device(0) + " at host:0"),
                 HasSubstr(GetParam() ? "has closed its session" : "End of sequence"));
  }

  GroupCluster cluster_{3};
  CollectiveUses uses_;
};
INSTANTIATE_TEST_SUITE_P(, GroupLeaverTest, testing::Bool(), [](const auto& info) {
  return info.param ? "ClosesItsSession" : "FailsItsNextStep";
});

TEST_P(GroupLeaverTest, OthersFinishTheRoundsThatItHasCompleted) {
  {
    const auto leaver = cluster_.NewStep(0, "s", &uses_);
    const auto one = cluster_.NewStep(1), two = cluster_.NewStep(2);
    for (auto* step : {leaver.get(), one.get(), two.get()}) step->Begin({1}, 3);
    for (auto* step : {leaver.get(), one.get(), two.get()})
      EXPECT_EQ(step->Wait(), absl::OkStatus());
    {
      const Steps first = StepsOf(cluster_, 3);
      for (size_t i = 0; i < 3; ++i) first[i]->Begin(Broadcast(i == 0, 5));
      for (const auto& step : first) {
        EXPECT_EQ(step->Wait(), absl::OkStatus());
        step->End(absl::OkStatus());
      }
    }
    leaver->Begin(Broadcast(true, 7));
    EXPECT_EQ(leaver->Wait(), absl::OkStatus());
    leaver->End(absl::OkStatus());
    one->Begin(Broadcast(false, 0));
    EXPECT_EQ(one->Wait(), absl::OkStatus());
    one->End(absl::OkStatus());
    const auto beyond = cluster_.NewStep(1);
    beyond->Begin({2}, 3);
    Leave();
    EXPECT_THAT(ErrorOf(*beyond).message(), Named());
    beyond->End(Aborted("the operation failed"));
    // Member 2 is slow: it begins the round after the other two have left, long after.
    for (int task : {0, 1, 2}) cluster_.groups(task).Sweep(absl::Now() + absl::Seconds(30));
    two->Begin(Broadcast(false, 0));
    EXPECT_EQ(two->Wait(), absl::OkStatus());
    EXPECT_THAT(two->values(), ElementsAre(7));
  }
  const auto next = cluster_.NewStep(2);
  next->Begin({2}, 3);
  EXPECT_THAT(ErrorOf(*next).message(), AllOf(Named(), HasSubstr("since its last use")));
  RunRound(cluster_, 3);
}

TEST_P(GroupLeaverTest, OthersFailInAnInstanceThatItHasNotCompleted) {
  {
    const auto leaver = cluster_.NewStep(0, "s", &uses_);
    const auto one = cluster_.NewStep(1), two = cluster_.NewStep(2);
    for (auto* step : {leaver.get(), one.get(), two.get()}) step->Begin({1}, 3);
    for (auto* step : {leaver.get(), one.get(), two.get()})
      EXPECT_EQ(step->Wait(), absl::OkStatus());
    leaver->End(absl::OkStatus());
    one->Begin({1}, 3, /*instance=*/3);
    Leave();
    two->Begin({1}, 3, /*instance=*/3);
    for (auto* step : {one.get(), two.get()}) EXPECT_THAT(ErrorOf(*step).message(), Named());
  }
  RunRound(cluster_, 3);
}

TEST(GroupLeaveTest, AMemberThatLeavesUnnoticedIsNamedToThoseThatAsk) {
  GroupCluster cluster(2);
  RunRound(cluster, 2);
  const auto step = cluster.NewStep(1);
  step->Begin({2}, 2);
  cluster.Kill(1);  // for a moment: it does not get the End
  cluster.groups(0).SessionEnded("s");
  cluster.Revive(1);
  cluster.groups(1).Sweep(absl::Now() + absl::Seconds(2));
  EXPECT_THAT(ErrorOf(*step).message(), HasSubstr(Device(0) + " at host:0 has closed its session"));
}

TEST(GroupLeaveTest, SaysWhyTheGroupBeforeHasEnded) {
  GroupCluster cluster(2);
  RunRound(cluster, 2);
  cluster.groups(1).SessionEnded("s");
  const auto late = cluster.NewStep(0), step = cluster.NewStep(0);
  late->Begin({1}, 2);
  const std::string closed = "member 1, " + Device(1) + " at host:1 has closed its session";
  EXPECT_THAT(ErrorOf(*late).message(), HasSubstr(closed));
  step->Begin({1}, 2);
  step->Cancel(DeadlineExceeded("Operation timed out."));
  EXPECT_THAT(ErrorOf(*step).message(),
              HasSubstr("has joined; the group before has ended: " + closed));
}

TEST(GroupLeaveTest, AClosedSessionMakesRoomForOtherMembers) {
  GroupCluster cluster(3);
  RunRound(cluster, 2);
  cluster.groups(0).SessionEnded("s");
  const auto one = cluster.NewStep(1, "next"), two = cluster.NewStep(2, "next");
  two->Begin({1}, 2);
  one->Begin({2}, 2);
  EXPECT_EQ(one->Wait(), absl::OkStatus());
  EXPECT_EQ(two->Wait(), absl::OkStatus());
}

TEST(GroupLeaveTest, AMemberThatLeftAndIsGoneIsNamed) {
  GroupCluster cluster(3);
  RunRound(cluster, 3);
  cluster.groups(1).SessionEnded("s");
  cluster.Kill(1);
  const auto zero = cluster.NewStep(0), two = cluster.NewStep(2);
  zero->Begin({1}, 3);
  two->Begin({1}, 3);
  for (auto* step : {zero.get(), two.get()})
    EXPECT_THAT(ErrorOf(*step).message(), HasSubstr("has closed its session"));
  zero->End(Aborted("the operation failed"));
  two->End(Aborted("the operation failed"));
  const auto zero_again = cluster.NewStep(0), two_again = cluster.NewStep(2);
  zero_again->Begin({1}, 3);
  two_again->Begin({1}, 3);
  cluster.groups(0).Sweep(absl::Now() + absl::Seconds(2));  // the leader asks for the absent one
  for (auto* step : {zero_again.get(), two_again.get()}) {
    const absl::Status error = ErrorOf(*step);
    EXPECT_TRUE(absl::IsUnavailable(error)) << error;
    EXPECT_THAT(error.message(),
                HasSubstr(Device(1) + " at host:1, a member of group 1, does not answer"));
    EXPECT_THAT(error.message(), testing::Not(HasSubstr("at its leader")));
  }
}

// The text of an error does not decide whether the leader has answered.
TEST(GroupLeaveTest, ALeaderThatIsGoneIsNamed) {
  GroupCluster cluster(2);
  cluster.Kill(0, ", a member of group 1, does not answer");
  const auto step = cluster.NewStep(1);
  step->Begin({1}, 2);
  const absl::Status error = ErrorOf(*step);
  EXPECT_TRUE(absl::IsUnavailable(error)) << error;
  EXPECT_THAT(error.message(),
              HasSubstr("at its leader " + GroupCluster::NameOf(0) + " at host:0"));
}

}  // namespace
}  // namespace sluice::worker
