// SPDX-License-Identifier: Apache-2.0
#include "graph/passes/nccl_members.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_replace.h"
#include "tests/graph/graph_text.h"

namespace sluice::graph {
namespace {

using testing::HasSubstr;

const char kTask[] = "/job:w/replica:0/task:0/device:";

// Placed on @0 to @9: GPUs of one task; @c: its CPU; @o: a GPU of another task.
std::unique_ptr<Graph> Parse(absl::string_view text) {
  std::string full = absl::StrReplaceAll(
      text, {{"@c", Cat("@@", kTask, "CPU:0")}, {"@o", "@@/job:w/replica:0/task:1/device:GPU:0"}});
  for (int i = 0; i < 10; ++i)
    full = absl::StrReplaceAll(full, {{Cat("@", i), Cat("@@", kTask, "GPU:", i)}});
  return FromText(full);
}

std::string After(absl::string_view text) {
  auto graph = Parse(text);
  const absl::Status status = SplitNcclOps(*graph);
  if (!status.ok()) return std::string(status.message());
  return absl::StrReplaceAll(ToText(*graph), {{Cat("@", kTask, "GPU:"), "@"}});
}

constexpr char kInputs[] = "a = Const(1.) @0 ; b = Const(2.) @1 ; c = Const(3.) @2 ; ";

TEST(NcclMembersTest, AReductionSendsFromEachOtherGpu) {
  EXPECT_EQ(After(Cat(kInputs,
                      "r = NcclReduce[reduction=\"max\"](a, b, c, ^c) @1 ; "
                      "x = Neg(r, ^r) @1 ; y = Neg(r) @0")),
            "a = Const() @0\n"
            "b = Const() @1\n"
            "c = Const() @2\n"
            "r/recv = _NcclReduceRecv(b, ^c) @1\n"
            "r/send = _NcclReduceSend(a, ^c) @0\n"
            "r/send_1 = _NcclReduceSend(c, ^c) @2\n"
            "x = Neg(r/recv, ^r/recv) @1\n"
            "y = Neg(r/recv) @0");
}

TEST(NcclMembersTest, ABroadcastReachesGpusOfTheTask) {
  EXPECT_EQ(After(Cat(kInputs,
                      "r = NcclBroadcast[shape=[]](a) @0 ; v = Neg(r) @0 ; w = Neg(r) @1 ; "
                      "x = Add(r, r) @1 ; y = Neg(r) @o ; z = NoOp(^r) @2")),
            "a = Const() @0\n"
            "b = Const() @1\n"
            "c = Const() @2\n"
            "r = NcclBroadcast(a) @0\n"
            "r/recv = _NcclBroadcastRecv(r/shape, ^r) @1\n"
            "r/send = _NcclBroadcastSend(r) @0\n"
            "r/shape = Const(^r) @1\n"
            "v = Neg(r) @0\n"
            "w = Neg(r/recv) @1\n"
            "x = Add(r/recv, r/recv) @1\n"
            "y = Neg(r) @/job:w/replica:0/task:1/device:GPU:0\n"
            "z = NoOp(^r) @2");
}

TEST(NcclMembersTest, ABroadcastOfUnknownShapeOrWithoutReadersStays) {
  for (const char* text : {"r = NcclBroadcast[shape=[?]](a) @0 ; x = Neg(r) @1",
                           "r = NcclBroadcast[shape=[]](a) @0 ; x = Neg(r) @0 ; y = NoOp(^r) @1"}) {
    const std::string all = Cat(kInputs, text);
    auto graph = Parse(all);
    const std::string before = ToText(*graph);
    EXPECT_TRUE(SplitNcclOps(*graph).ok());
    EXPECT_EQ(ToText(*graph), before);
  }
}

TEST(NcclMembersTest, MembersHaveTheAttributesOfTheOp) {
  auto graph = Parse(Cat(kInputs, "r = NcclReduce[reduction=\"prod\"](a, b) @0"));
  ASSERT_TRUE(SplitNcclOps(*graph).ok());
  for (const char* name : {"r/recv", "r/send"}) {
    const AttrMap& attrs = graph->Find(name)->attrs;
    EXPECT_EQ(*GetAttr<std::string>(attrs, "reduction"), "prod");
    EXPECT_EQ(*GetAttr<std::string>(attrs, "shared_name"), "r");
    EXPECT_EQ(*GetAttr<int64_t>(attrs, "num_devices"), 2);
    EXPECT_EQ(*GetAttr<DType>(attrs, "T"), kFloat);
  }
}

TEST(NcclMembersTest, RefusesInputsElsewhere) {
  EXPECT_THAT(After(Cat(kInputs, "r = NcclReduce[reduction=\"sum\"](a, b) @2")),
              HasSubstr("No input tensor uses the same device as the NcclReduce op"));
  EXPECT_THAT(After(Cat(kInputs, "d = Const(4.) @c ; r = NcclReduce[reduction=\"sum\"](a, d) @0")),
              HasSubstr("input 1 is on /job:w/replica:0/task:0/device:CPU:0, which is not a GPU"));
  EXPECT_THAT(After(Cat(kInputs, "d = Const(4.) @o ; r = NcclReduce[reduction=\"sum\"](a, d) @0")),
              HasSubstr("is not a GPU of the task of"));
}

TEST(NcclMembersTest, AllMembersOfAnAllReduceMustBeInOneStepAndTask) {
  const char kOp[] = "NcclAllReduce[reduction=\"sum\", num_devices=2, shared_name=\"s\"]";
  EXPECT_THAT(After(Cat(kInputs, "x = ", kOp, "(a) @0")),
              HasSubstr("node \"x\" (NcclAllReduce) waits for 2 members, but only 1 with "
                        "shared_name \"s\" are in this step"));
  EXPECT_THAT(After(Cat(kInputs, "x = ", kOp, "(a) @0 ; y = ", kOp, "(b) @o")),
              HasSubstr("works between GPUs of one task"));
  EXPECT_THAT(After(Cat(kInputs, "x = ", kOp, "(a) @0 ; y = ", kOp, "(b) @1")),
              HasSubstr("y = NcclAllReduce(b) @1"));
}

}  // namespace
}  // namespace sluice::graph
