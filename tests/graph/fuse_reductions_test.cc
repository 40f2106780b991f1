// SPDX-License-Identifier: Apache-2.0
#include "graph/passes/fuse_reductions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "tests/graph/graph_text.h"

namespace sluice::graph {
namespace {

using testing::HasSubstr;
using testing::Not;

// Replaces R(key) by an op with this instance key, and @c by the device.
std::unique_ptr<Graph> Parse(absl::string_view text) {
  std::string full = absl::StrReplaceAll(text, {{" @c", " @@w:0"}});
  for (int key = 1; key < 9; ++key) {
    const std::string op =
        absl::StrCat("CollectiveReduce[group_size=2, group_key=1, instance_key=", key,
                     ", merge_op=\"Add\", final_op=\"Id\", subdiv_offsets=[0]]");
    full = absl::StrReplaceAll(full, {{absl::StrCat("R", key, "("), op + "("}});
  }
  return FromText(full);
}

std::string After(absl::string_view text, std::vector<std::string> ops = {"CollectiveReduce"}) {
  auto graph = Parse(text);
  PassContext context;
  context.fused_ops = ops;
  const absl::Status status = FuseReductions(*graph, context);
  EXPECT_TRUE(status.ok()) << status;
  return absl::StrReplaceAll(ToText(*graph), {{" @/job:w/replica:0/task:0/device:CPU:0", ""}});
}

// The layout of the joined reductions, in order of their names.
std::string Layouts(absl::string_view text) {
  auto graph = Parse(text);
  const std::vector<std::string> ops = {"CollectiveReduce"};
  PassContext context;
  context.fused_ops = ops;
  EXPECT_TRUE(FuseReductions(*graph, context).ok());
  std::string layouts;
  for (const Node* node : graph->nodes()) {
    auto layout = GetAttr<std::string>(node->attrs, "_collective_name");
    if (layout.ok()) absl::StrAppend(&layouts, "[", *layout, "]");
  }
  return layouts;
}

constexpr char kTwo[] =
    "a = Const([1., 2.]) @c ; b = Const(3.) @c ; y = R5(b, ^a) @c ; x = R4(a) @c ; "
    "z = Add(x, y) @c ; last = NoOp(^y) @c";

TEST(FuseReductionsTest, JoinsPartsInOrderOfTheirKeys) {
  EXPECT_EQ(After(kTwo),
            "a = Const()\n"
            "b = Const()\n"
            "last = NoOp(^x/fused/result_1)\n"
            "x/fused/constant = Const()\n"
            "x/fused/constant_1 = Const()\n"
            "x/fused/constant_2 = Const()\n"
            "x/fused/constant_3 = Const()\n"
            "x/fused/constant_4 = Const()\n"
            "x/fused/constant_5 = Const()\n"
            "x/fused/constant_6 = Const()\n"
            "x/fused/flat = Reshape(a, x/fused/constant_1)\n"
            "x/fused/flat_1 = Reshape(b, x/fused/constant_2)\n"
            "x/fused/joined = ConcatV2(x/fused/flat, x/fused/flat_1, x/fused/constant)\n"
            "x/fused/reduced = CollectiveReduce(x/fused/joined, ^a)\n"
            "x/fused/result = Reshape(x/fused/split, x/fused/constant_5)\n"
            "x/fused/result_1 = Reshape(x/fused/split:1, x/fused/constant_6)\n"
            "x/fused/split = SplitV(x/fused/reduced, x/fused/constant_3, x/fused/constant_4)\n"
            "z = Add(x/fused/result, x/fused/result_1)");
  EXPECT_EQ(Layouts(kTwo), "[joined 4::2 5::1]");
}

TEST(FuseReductionsTest, OnlyIfTheSessionTurnsItOn) {
  EXPECT_THAT(After(kTwo, {}), Not(HasSubstr("fused")));
  EXPECT_THAT(After(kTwo, {"Other"}), Not(HasSubstr("fused")));
}

TEST(FuseReductionsTest, DependentPartsStayApart) {
  // 3 reads 1: the first reduction has 1 and 2, the next one 3 and 4.
  EXPECT_EQ(Layouts("a = Const([1., 2.]) @c ; p = R1(a) @c ; q = R2(a) @c ; n = Neg(p) @c ; "
                    "r = R3(n) @c ; s = R4(q) @c"),
            "[joined 1::2 2::2][joined 3::2 4::2]");
  EXPECT_EQ(Layouts("a = Const([1., 2.]) @c ; p = R1(a) @c ; q = R2(p) @c"), "");
  // 1 with 4 would close a cycle once 2 and 3 are one.
  EXPECT_EQ(Layouts("a = Const([1., 2.]) @c ; p = R1(a) @c ; q = R2(p) @c ; "
                    "r = R3(a) @c ; s = R4(r) @c"),
            "[joined 1::2 3::2][joined 2::2 4::2]");
}

TEST(FuseReductionsTest, DifferentReductionsStayApart) {
  EXPECT_EQ(Layouts("a = Const([1., 2.]) @c ; b = Const([1, 2]) @c ; p = R1(a) @c ; q = R2(b) @c"),
            "");
  EXPECT_EQ(Layouts("a = Const([1., 2.]) @c ; p = R1(a) @c ; q = R1(a) @c"), "")
      << "one key used twice is an error that the members report";
}

TEST(FuseReductionsTest, UnknownShapesAndBranchesStay) {
  EXPECT_EQ(Layouts("a = Placeholder[dtype=float, shape=?] @c ; p = R1(a) @c ; q = R2(a) @c"), "");
  EXPECT_EQ(Layouts("a = Const([1., 2.]) @c ; t = Placeholder[dtype=bool, shape=[]] @c ; s = "
                    "Switch(a, t) @c ; "
                    "p = R1(s) @c ; q = R2(a) @c"),
            "");
}

TEST(FuseReductionsTest, WhatWaitForConcernsStays) {
  EXPECT_EQ(Layouts("a = Const([1., 2.]) @c ; p = R1(a) @c ; q = R2(a) @c ; r = R3(a) @c ; "
                    "s = CollectiveReduce[group_size=2, group_key=1, instance_key=4, "
                    "merge_op=\"Add\", final_op=\"Id\", subdiv_offsets=[0], wait_for=[2]](a) @c"),
            "[joined 1::2 3::2]");
}

TEST(FuseReductionsTest, AJoinedReductionHasAtMost32Megabytes) {
  const char text[] =
      "n = Const([3, 1024, 1024]) @c ; v = Const(0.) @c ; a = Fill(n, v) @c ; "
      "p = R1(a) @c ; q = R2(a) @c ; r = R3(a) @c ; s = R4(a) @c";
  EXPECT_EQ(Layouts(text), "[joined 1::3145728 2::3145728][joined 3::3145728 4::3145728]");
}

}  // namespace
}  // namespace sluice::graph
