// SPDX-License-Identifier: Apache-2.0
#include "graph/passes/nccl_collectives.h"

#include <gtest/gtest.h>

#include "absl/strings/str_replace.h"
#include "graph/passes/nccl_members.h"
#include "tests/graph/graph_text.h"

namespace sluice::graph {
namespace {

// @0 and @1: GPUs of one task; @c: its CPU; @o: a GPU of another task. R, S and V: ops of a group
// of two.
std::string After(absl::string_view text) {
  const std::string task = "/job:w/replica:0/task:0/device:";
  const std::string group = "group_size=2, group_key=7, instance_key=";
  std::string full = absl::StrReplaceAll(
      text, {{"R(", "R1(Id, 1)("},
             {"S(", "CollectiveBcastSend[" + group + "2, shape=[]]("},
             {"V()", "CollectiveBcastRecv[" + group + "2, shape=[], T=float]()"},
             {"@c", "@@" + task + "CPU:0"},
             {"@0", "@@" + task + "GPU:0"},
             {"@1", "@@" + task + "GPU:1"},
             {"@o", "@@/job:w/replica:0/task:1/device:GPU:0"}});
  for (const char* final : {"Id", "Div"}) {
    for (const char* key : {"1", "3"}) {
      full = absl::StrReplaceAll(
          full, {{Cat("R1(", final, ", ", key, ")"),
                  Cat("CollectiveReduce[", group, key, ", merge_op=\"Add\", final_op=\"", final,
                      "\", subdiv_offsets=[0]]")}});
    }
  }
  auto graph = FromText(full);
  absl::Status status = UseNcclForCollectives(*graph);
  if (status.ok()) status = SplitNcclOps(*graph);
  if (!status.ok()) return std::string(status.message());
  return absl::StrReplaceAll(ToText(*graph), {{"@" + task + "GPU:", "@"}});
}

constexpr char kInputs[] = "a = Const(1.) @0 ; b = Const(2.) @1 ; ";

TEST(NcclCollectivesTest, AReductionOfGpusBecomesOneOfNccl) {
  EXPECT_EQ(After(Cat(kInputs, "x = R(a, ^b) @0 ; y = R(b) @1 ; z = Neg(x, ^y) @0")),
            "a = Const() @0\n"
            "b = Const() @1\n"
            "x/nccl = NcclAllReduce(a, ^b) @0\n"
            "y/nccl = NcclAllReduce(b) @1\n"
            "z = Neg(x/nccl, ^y/nccl) @0");
}

TEST(NcclCollectivesTest, ThePartsOfAMeanAreDivided) {
  EXPECT_EQ(After(Cat(kInputs, "x = R1(Div, 3)(a) @0 ; y = R1(Div, 3)(b) @1")),
            "a = Const() @0\n"
            "b = Const() @1\n"
            "x/mean = RealDiv(x/nccl, x/members) @0\n"
            "x/members = Const(^x/nccl) @0\n"
            "x/nccl = NcclAllReduce(a) @0\n"
            "y/mean = RealDiv(y/nccl, y/members) @1\n"
            "y/members = Const(^y/nccl) @1\n"
            "y/nccl = NcclAllReduce(b) @1");
}

TEST(NcclCollectivesTest, ABroadcastOfGpusBecomesOneOfNccl) {
  EXPECT_EQ(After(Cat(kInputs, "x = S(a, ^b) @0 ; y = V() @1 ; z = Neg(x) @0 ; w = Neg(y) @1")),
            "a = Const() @0\n"
            "b = Const() @1\n"
            "w = Neg(y/nccl) @1\n"
            "x/nccl = _NcclBroadcastSend(x/value) @0\n"
            "x/value = Identity(a, ^b) @0\n"
            "y/nccl = _NcclBroadcastRecv(y/shape) @1\n"
            "y/shape = Const() @1\n"
            "z = Neg(x/value) @0");
}

TEST(NcclCollectivesTest, OthersStay) {
  for (const char* text : {"x = R(a) @c",                             // on a CPU
                           "x = R(a) @0 ; y = R1(Div, 1)(b) @1",      // they disagree
                           "i = Const(1) @0 ; x = R1(Div, 3)(i) @0",  // a mean of integers
                           "i = Const(1) @0 ; j = Const(2) @1 ; x = R1(Div, 3)(i) @0 ; "
                           "y = R1(Div, 3)(j) @1",          // integers
                           "x = S(a) @0 ; y = S(b) @1"}) {  // two sources
    const std::string after = After(Cat(kInputs, text));
    EXPECT_EQ(after.find("Nccl"), std::string::npos) << after;
    EXPECT_NE(after.find("x = Collective"), std::string::npos) << after;
  }
}

TEST(NcclCollectivesTest, AReductionBetweenTasksBecomesOneOfTheGroup) {
  EXPECT_EQ(After(Cat(kInputs, "x = R(a, ^b) @0 ; z = Neg(x, ^x) @0")),  // a member elsewhere
            "a = Const() @0\n"
            "b = Const() @1\n"
            "x/nccl = _NcclGroupReduce(a, ^b) @0\n"
            "z = Neg(x/nccl, ^x/nccl) @0");
  for (const char* text :
       {"x = R(a) @0 ; y = R(b) @o", "x = R1(Div, 1)(a) @0", "i = Const(1) @0 ; x = R(i) @0"}) {
    EXPECT_NE(After(Cat(kInputs, text)).find("x/nccl = _NcclGroupReduce("), std::string::npos);
  }
}

}  // namespace
}  // namespace sluice::graph
