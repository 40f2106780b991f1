// SPDX-License-Identifier: Apache-2.0
// Which groups use a library for the memory of their devices.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "worker_service/groups/group.h"

namespace sluice::worker {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string Task(int i) { return Cat("/job:w/replica:0/task:", i); }

// A member of its own task and host.
transport::GroupMember Member(int task) {
  transport::GroupMember member;
  member.task = Task(task);
  member.device = Cat(member.task, "/device:GPU:0");
  member.host = Cat("host", task);
  member.address = Cat("h:", task);
  member.library = "NCCL 2.28.3";
  member.hardware = "0000:01:00.0";
  return member;
}

std::string WhyOnHost(const std::vector<transport::GroupMember>& members) {
  const transport::ReturnPaths returns;
  Peers peers({{Task(1), "h:1"}, {Task(2), "h:2"}}, nullptr, &returns);
  Group group(1, &peers);
  EXPECT_TRUE(group.SetRoster(7, members, Task(0), Task(0)).ok());
  std::string why = group.why_on_host();
  group.End(absl::CancelledError("the test is over"));
  return why;
}

TEST(GroupLibraryTest, IsUsedIfAllMembersOfferTheSame) {
  EXPECT_EQ(WhyOnHost({Member(0), Member(1), Member(2)}), "");
}

TEST(GroupLibraryTest, IsNotUsedIfVersionsDiffer) {
  auto other = Member(1);
  other.library = "NCCL 2.27.7";
  EXPECT_EQ(WhyOnHost({Member(0), other, Member(2)}),
            Task(0) + "/device:GPU:0 at h:0 has NCCL 2.28.3, but " + Task(1) +
                "/device:GPU:0 at h:1 has NCCL 2.27.7");
}

TEST(GroupLibraryTest, IsNotUsedIfAMemberLacksIt) {
  auto other = Member(1);
  other.library = "";
  other.no_library = "nccl.h was not found";
  EXPECT_EQ(WhyOnHost({Member(0), other}),
            Task(1) + "/device:GPU:0 at h:1 has no library: nccl.h was not found");
  other.no_library = "";
  EXPECT_THAT(WhyOnHost({other, Member(0)}), HasSubstr("it does not offer one"));
}

TEST(GroupLibraryTest, IsNotUsedByMembersOfOneTaskOrOneGpu) {
  auto second = Member(1);
  second.device = Task(1) + "/device:GPU:1";
  second.hardware = "0000:02:00.0";
  EXPECT_EQ(WhyOnHost({Member(0), Member(1), second}), "two members are in " + Task(1));
  EXPECT_EQ(WhyOnHost({Member(1), second}), "all members are in " + Task(1));
  auto other = Member(1);
  other.host = Member(0).host;
  EXPECT_THAT(WhyOnHost({Member(0), other}), AllOf(HasSubstr(Task(0)), HasSubstr(Task(1)),
                                                   HasSubstr("are one GPU, 0000:01:00.0")));
  other.hardware = "0000:02:00.0";
  EXPECT_EQ(WhyOnHost({Member(0), other}), "");
}

}  // namespace
}  // namespace sluice::worker
