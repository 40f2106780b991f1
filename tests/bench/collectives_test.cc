// SPDX-License-Identifier: Apache-2.0
#include "bench/collectives/workload.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace sluice::bench::collectives {
namespace {

using enum CollectiveOp;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(WorkloadTest, EachMemberHasAPartOfTheSameSize) {
  EXPECT_EQ(WorkloadOf(kAllReduce, 4, 4).elements, 1);
  const Workload gather = WorkloadOf(kAllGather, 4, 4);
  EXPECT_EQ(gather.bytes(), 16);
  EXPECT_EQ(gather.input(), 1);
  EXPECT_EQ(gather.output(), 4);
  const Workload scatter = WorkloadOf(kReduceScatter, 3, 64);
  EXPECT_EQ(scatter.elements, 18);
  EXPECT_EQ(scatter.input(), 18);
  EXPECT_EQ(scatter.output(), 6);
}

TEST(WorkloadTest, NamesAreReadAndWritten) {
  for (const CollectiveOp op : {kAllReduce, kReduceScatter, kAllGather, kBroadcast, kAllToAll})
    EXPECT_EQ(ParseOp(OpName(op)).value(), op);
  EXPECT_THAT(std::string(ParseOp("pray").status().message()), HasSubstr("all_to_all"));
}

TEST(WorkloadTest, FindsTheFirstWrongElement) {
  const Workload gather = WorkloadOf(kAllGather, 2, 16);
  EXPECT_THAT(InputOf(gather, 1), ElementsAre(7, 8));
  EXPECT_EQ(FirstError(gather, 0, {0, 1, 7, 8}), "");
  EXPECT_EQ(FirstError(gather, 0, {0, 1, 7, 9}), "element 3 of the result is 9, not 8");
  EXPECT_EQ(FirstError(gather, 0, {0, 1}), "the result has 2 elements, not 4");
  EXPECT_EQ(FirstError(WorkloadOf(kReduceScatter, 2, 16), 1, {11, 13}), "");
  EXPECT_EQ(FirstError(WorkloadOf(kAllToAll, 2, 16), 1, {2, 3, 9, 10}), "");
  EXPECT_EQ(FirstError(WorkloadOf(kBroadcast, 2, 16), 1, {0, 1, 2, 3}), "");
}

TEST(WorkloadTest, InputsRepeat) {
  const Workload reduce = WorkloadOf(kAllReduce, 2, 1000);
  std::vector<float> sum = InputOf(reduce, 0);
  for (float& value : sum) value = 2 * value + 7;
  EXPECT_EQ(FirstError(reduce, 1, sum), "");
  sum.back() = 0;
  EXPECT_THAT(FirstError(reduce, 1, sum), HasSubstr("element 249"));
}

}  // namespace
}  // namespace sluice::bench::collectives
