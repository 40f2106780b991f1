// SPDX-License-Identifier: Apache-2.0
#include "worker_service/groups/agreement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/worker_service/group_rounds.h"

namespace sluice::worker {
namespace {

using testing::AllOf;
using testing::HasSubstr;

CollectiveCall BroadcastTo3(bool source, int64_t elements, const std::string& hint = "auto") {
  CollectiveCall call;
  call.op = CollectiveOp::kBroadcast;
  call.group_key = 1;
  call.group_size = 3;
  call.instance_key = 1;
  call.hint = hint;
  call.source = source;
  call.output = Tensor(kFloat, Shape{elements});
  if (source) call.input = call.output;
  return call;
}

TEST(GroupAgreementTest, TellsBothDescriptionsToTheSourceOfABroadcastToo) {
  for (const std::string hint : {"direct", "binomial_tree"}) {
    for (size_t other = 1; other < 3; ++other) {
      GroupCluster cluster(3);
      Steps steps = StepsOf(cluster, 3);
      for (size_t i = 0; i < 3; ++i)
        steps[i]->Begin(BroadcastTo3(i == 0, i == other ? 2 : 3, hint));
      for (auto& step : steps) {
        const absl::Status error = ErrorOf(*step);
        EXPECT_TRUE(absl::IsInvalidArgument(error)) << error;
        EXPECT_THAT(error.message(),
                    AllOf(HasSubstr("broadcast of float[2]"), HasSubstr("broadcast of float[3]")));
      }
      RunRound(cluster, 3);
    }
  }
}

TEST(GroupAgreementTest, MembersFinishTheRoundsBeforeThatInWhichOthersDisagree) {
  GroupCluster cluster(3);
  const auto begin = [&](int member, int64_t elements) {
    auto step = cluster.NewStep(member);
    step->Begin(BroadcastTo3(member == 0, elements));
    return step;
  };
  const auto end = [](GroupCluster::Step& step) {
    absl::Status status = step.Wait();
    step.End(status);
    return status;
  };
  Steps first;
  for (int member : {0, 1, 2}) first.push_back(begin(member, 3));
  for (auto& step : first) EXPECT_EQ(end(*step), absl::OkStatus());
  for (int member : {0, 1}) EXPECT_EQ(end(*begin(member, 3)), absl::OkStatus());
  EXPECT_EQ(end(*begin(0, 2)), absl::OkStatus()) << "the source waits for nobody";
  EXPECT_TRUE(absl::IsInvalidArgument(end(*begin(1, 3))));
  EXPECT_EQ(end(*begin(2, 3)), absl::OkStatus()) << "its second round";
  EXPECT_TRUE(absl::IsInvalidArgument(end(*begin(2, 3))));
  EXPECT_TRUE(absl::IsInvalidArgument(end(*begin(0, 3))));
  RunRound(cluster, 3);
}

// Programs of Horovod expect it.
TEST(GroupAgreementTest, FixedMembersThatDisagreeGetFailedPrecondition) {
  for (size_t other = 0; other < 3; ++other) {
    GroupCluster cluster(3);
    Steps steps = StepsOf(cluster, 3);
    std::vector<CollectiveCall> calls;
    for (size_t i = 0; i < 3; ++i) {
      calls.push_back(BroadcastTo3(i == 1, i == other ? 2 : 3));
      calls[i].fixed_members = true;
      steps[i]->Begin(calls[i]);
    }
    for (size_t i = 0; i < 3; ++i) {
      const absl::Status error = ErrorOf(*steps[i]);
      EXPECT_TRUE(absl::IsFailedPrecondition(error)) << error;
      EXPECT_THAT(error.message(),
                  AllOf(HasSubstr("broadcast of float[2]"), HasSubstr("broadcast of float[3]")))
          << error;
      calls[i].instance_key = 2;
      steps[i]->Begin(calls[i]);
      const absl::Status next = ErrorOf(*steps[i]);
      EXPECT_TRUE(absl::IsFailedPrecondition(next)) << "a later operation of the step: " << next;
    }
    RunRound(cluster, 3);
  }
}

TEST(GroupAgreementTest, FixedMembersOfAnotherNumberGetFailedPrecondition) {
  GroupCluster cluster(2);
  Steps steps = StepsOf(cluster, 2);
  for (size_t i = 0; i < 2; ++i) {
    CollectiveCall call = BroadcastTo3(i == 0, 3);
    call.group_size = static_cast<int>(2 + i);
    call.fixed_members = true;
    steps[i]->Begin(call);
  }
  for (auto& step : steps) {
    const absl::Status error = ErrorOf(*step);
    EXPECT_TRUE(absl::IsFailedPrecondition(error)) << error;
    EXPECT_THAT(error.message(), AllOf(HasSubstr("with 2 CPU members"), HasSubstr("with 3 CPU")));
  }
}

// From the second round on, nobody sends to the source of a broadcast.
TEST(GroupAgreementTest, TellsTheSourceInItsNextOperationThatALaterRoundDiffered) {
  for (const std::string hint : {"direct", "binomial_tree"}) {
    GroupCluster cluster(3);
    {
      Steps first = StepsOf(cluster, 3);
      for (size_t i = 0; i < 3; ++i) first[i]->Begin(BroadcastTo3(i == 0, 3, hint));
      for (auto& step : first) {
        EXPECT_EQ(step->Wait(), absl::OkStatus());
        step->End(absl::OkStatus());
      }
    }
    std::vector<absl::Status> errors;
    {
      Steps second = StepsOf(cluster, 3);
      for (size_t i = 0; i < 3; ++i) second[i]->Begin(BroadcastTo3(i == 0, i == 2 ? 2 : 3, hint));
      EXPECT_FALSE(second[2]->Wait().ok());
      for (auto& step : second) {
        errors.push_back(step->Wait());
        step->End(errors.back());
      }
    }
    Steps third = StepsOf(cluster, 3);
    for (size_t i = 0; i < 3; ++i) {
      if (!errors[i].ok()) continue;
      third[i]->Begin({1}, 3, /*instance=*/2);
      errors[i] = third[i]->Wait();
    }
    for (const absl::Status& error : errors) {
      EXPECT_TRUE(absl::IsInvalidArgument(error)) << error;
      EXPECT_THAT(error.message(),
                  AllOf(HasSubstr("broadcast of float[2]"), HasSubstr("broadcast of float[3]")))
          << error;
    }
    RunRound(cluster, 3);
  }
}

TEST(GroupAgreementTest, ABroadcastHasOneSource) {
  const struct {
    std::vector<bool> sources;
    std::vector<std::string> texts;
  } cases[] = {
      {{true, true, false}, {Device(0), Device(1), "is its source too"}},
      {{false, true, true}, {Device(1), Device(2), "is its source too"}},
      {{false, false, false}, {"all 3 receive broadcast of float[3]", "none is its source"}},
  };
  for (const auto& [sources, texts] : cases) {
    GroupCluster cluster(3);
    Steps steps = StepsOf(cluster, 3);
    for (size_t i = 0; i < 3; ++i) steps[i]->Begin(BroadcastTo3(sources[i], 3));
    for (auto& step : steps) {
      const absl::Status error = ErrorOf(*step);
      EXPECT_TRUE(absl::IsInvalidArgument(error)) << error;
      for (const std::string& text : texts) EXPECT_THAT(error.message(), HasSubstr(text));
    }
    RunRound(cluster, 3);
  }
}

// A member that has no elements sends none to the others.
TEST(GroupAgreementTest, TellsBothDescriptionsToAMemberWithoutElements) {
  GroupCluster cluster(3);
  const auto gather = [](int64_t rows) {
    CollectiveCall call;
    call.op = CollectiveOp::kAllGather;
    call.group_key = 1;
    call.group_size = 3;
    call.instance_key = 1;
    call.input = Tensor(kFloat, Shape{rows, 2});
    call.output = Tensor(kFloat, Shape{3 * rows, 2});
    return call;
  };
  for (const int64_t rows : {0, 1}) {
    for (size_t other = 0; other < 3; ++other) {
      Steps steps = StepsOf(cluster, 3);
      for (size_t i = 0; i < 3; ++i) steps[i]->Begin(gather(i == other ? 1 - rows : rows));
      for (auto& step : steps) {
        const absl::Status error = ErrorOf(*step);
        EXPECT_TRUE(absl::IsInvalidArgument(error)) << error;
        EXPECT_THAT(error.message(), AllOf(HasSubstr("all-gather of float[0,2]"),
                                           HasSubstr("all-gather of float[1,2]")));
      }
    }
  }
  Steps steps = StepsOf(cluster, 3);
  for (auto& step : steps) step->Begin(gather(0));
  for (auto& step : steps) EXPECT_EQ(step->Wait(), absl::OkStatus());
}

}  // namespace
}  // namespace sluice::worker
