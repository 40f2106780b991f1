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
