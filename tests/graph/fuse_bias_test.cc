// SPDX-License-Identifier: Apache-2.0
#include "graph/passes/fuse_bias.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "tests/graph/graph_text.h"

namespace sluice::graph {
namespace {

using testing::HasSubstr;
using testing::Not;

const KernelTable& Kernels() {
  static const auto& table = *[] {
    auto* t = new KernelTable;
    for (const char* op : {"_FusedConv2D", "_FusedReluGrad"})
      t->Add({.op = op, .device_type = "CPU", .types = {{"T", kFloat}}, .host = {}, .label = ""});
    return t;
  }();
  return table;
}

// The graph after the pass, all of it on one CPU. Conv stands for Conv2D with its attributes.
std::string After(absl::string_view text, const PassContext& context = {&Kernels(), {}}) {
  const std::string conv = "Conv2D[strides=[1, 1, 1, 1], padding=\"SAME\"](";
  auto graph = FromText(absl::StrReplaceAll(
      absl::StrCat("x = Placeholder[dtype=float, shape=?] @c ; "
                   "f = Placeholder[dtype=float, shape=?] @c ; b = Const([1.]) @c ; ",
                   text),
      {{" @c", " @@w:0"}, {"Conv(", conv}}));
  const absl::Status status = FuseBias(*graph, context);
  EXPECT_TRUE(status.ok()) << status;
  return absl::StrReplaceAll(ToText(*graph), {{" @/job:w/replica:0/task:0/device:CPU:0", ""}});
}

constexpr char kChain[] = "c = Conv(x, f) @c ; s = BiasAdd(c, b) @c ; r = Relu(s) @c ; ";

TEST(FuseBiasTest, JoinsAConvolutionItsBiasAndItsActivation) {
  EXPECT_EQ(After(absl::StrCat(kChain, "y = Neg(r) @c ; z = NoOp(^r) @c")),
            "b = Const()\n"
            "c = _FusedConv2D(x, f, b)\n"
            "f = Placeholder()\n"
            "x = Placeholder()\n"
            "y = Neg(c)\n"
            "z = NoOp(^c)");
  EXPECT_THAT(After("c = Conv(x, f) @c ; s = BiasAdd(c, b) @c ; r = Elu(s) @c"),
              HasSubstr("c = _FusedConv2D(x, f, b)\nf = Placeholder()\nr = Elu(c)"));
}

TEST(FuseBiasTest, KeepsWhatTheNodesWaitFor) {
  EXPECT_THAT(After("n = NoOp @c ; m = NoOp @c ; c = Conv(x, f, ^n) @c ; s = BiasAdd(c, b, ^m) @c"),
              HasSubstr("c = _FusedConv2D(x, f, b, ^m, ^n)"));
}

TEST(FuseBiasTest, WhatOthersReadOrWaitForStays) {
  for (const char* more : {"y = Neg(c) @c", "y = NoOp(^c) @c"})
    EXPECT_THAT(After(absl::StrCat(kChain, more)), Not(HasSubstr("_Fused"))) << more;
  for (const char* more : {"y = Neg(s) @c", "y = NoOp(^s) @c"}) {
    const std::string after = After(absl::StrCat(kChain, more));
    EXPECT_THAT(after, HasSubstr("c = _FusedConv2D(x, f, b)")) << more;
    EXPECT_THAT(after, HasSubstr("r = Relu(c)")) << more;
  }
}

TEST(FuseBiasTest, OtherLayoutsDevicesAndTypesStay) {
  EXPECT_THAT(After("c = Conv(x, f) @c ; s = BiasAdd[data_format=\"NCHW\"](c, b) @c"),
              Not(HasSubstr("_Fused")));
  EXPECT_THAT(After("c = Conv(x, f) @c ; s = BiasAdd(c, b) @@w:1"), Not(HasSubstr("_Fused")));
  EXPECT_THAT(After("d = Placeholder[dtype=double, shape=?] @c ; c = Conv(d, d) @c ; "
                    "s = BiasAdd(c, d) @c"),
              Not(HasSubstr("_Fused")));
}

TEST(FuseBiasTest, JoinsTheGradientsOfReluAndBias) {
  EXPECT_EQ(After("g = ReluGrad(x, f) @c ; s = BiasAddGrad(g) @c ; y = Neg(g) @c ; z = Neg(s) @c ; "
                  "n = NoOp(^s) @c"),
            "b = Const()\n"
            "f = Placeholder()\n"
            "g = _FusedReluGrad(x, f)\n"
            "n = NoOp(^g)\n"
            "x = Placeholder()\n"
            "y = Neg(g)\n"
            "z = Neg(g:1)");
  EXPECT_THAT(After("n = NoOp @c ; g = ReluGrad(x, f) @c ; s = BiasAddGrad(g, ^n) @c"),
              Not(HasSubstr("_Fused")));
}

TEST(FuseBiasTest, OtherPairsStay) {
  EXPECT_THAT(After("c = Conv(x, f) @c ; s = BiasAddGrad(c) @c"), Not(HasSubstr("_Fused")));
  EXPECT_THAT(After("g = ReluGrad(x, f) @c ; s = BiasAdd(g, b) @c"), Not(HasSubstr("_Fused")));
}

TEST(FuseBiasTest, TheDebuggerSeesAllNodes) {
  const std::vector<DebugWatch> watches(1);
  EXPECT_THAT(After(kChain, {&Kernels(), watches}), Not(HasSubstr("_Fused")));
}

}  // namespace
}  // namespace sluice::graph
