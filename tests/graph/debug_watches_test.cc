// SPDX-License-Identifier: Apache-2.0
#include "graph/passes/debug_watches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/frames.h"
#include "graph/import.h"
#include "graph/passes/passes.h"
#include "proto/graph.pb.h"
#include "tests/graph/graph_text.h"

namespace sluice::graph {
namespace {

using testing::HasSubstr;

const char kUrl[] = "file:///tmp/dump";

const KernelTable& Kernels() {
  static const auto& table = *[] {
    auto* t = new KernelTable;
    t->Add({.op = "Copy", .device_type = "CPU", .types = {}, .host = {}, .label = ""});
    t->Add({.op = "DebugIdentity", .device_type = "CPU", .types = {}, .host = {}, .label = ""});
    t->Add({.op = "DebugNumericSummary",
            .device_type = "CPU",
            .types = {{"T", kFloat}},
            .host = {},
            .label = ""});
    return t;
  }();
  return table;
}

absl::Status Insert(std::vector<DebugWatch> watches, Graph& graph) {
  SLUICE_RETURN_IF_ERROR(CheckWatches(watches));
  return RunPasses(graph, {&Kernels(), watches});
}

DebugWatch On(const char* node, int output, const char* op = "DebugIdentity") {
  return {node, output, {op}, {kUrl}};
}

// The graph as text, without devices.
std::string After(const char* text, std::vector<DebugWatch> watches) {
  auto graph = FromText(text);
  absl::Status status = Insert(std::move(watches), *graph);
  EXPECT_TRUE(status.ok()) << status;
  std::string all = ToText(*graph);
  const std::string device = " @/job:w/replica:0/task:0/device:CPU:0";
  for (size_t at = all.find(device); at != std::string::npos; at = all.find(device, at))
    all.erase(at, device.size());
  return all;
}

TEST(DebugWatchesTest, ConsumersReadTheCopyAndWaitForTheDump) {
  EXPECT_EQ(After("a = Const(1.) @@w:0 ; b = Neg(a) @@w:0 ; c = NoOp(^a) @@w:0", {On("a", 0)}),
            "__copy_a_0 = Copy(a)\n"
            "__dbg_a:0_0_DebugIdentity = DebugIdentity(__copy_a_0)\n"
            "a = Const()\n"
            "b = Neg(__copy_a_0, ^__dbg_a:0_0_DebugIdentity)\n"
            "c = NoOp(^a)");
}

TEST(DebugWatchesTest, ReferencesAreStillWritten) {
  EXPECT_EQ(After("v = VariableV2[shape=[], dtype=float] @@w:0 ; x = Const(1.) @@w:0 ; "
                  "set = Assign(v, x) @@w:0",
                  {On("v", 0)}),
            "__copy_v_0 = Copy(v)\n"
            "__dbg_v:0_0_DebugIdentity = DebugIdentity(__copy_v_0)\n"
            "set = Assign(v, x, ^__dbg_v:0_0_DebugIdentity)\n"
            "v = VariableV2()\n"
            "x = Const()");
}

const char kLoop[] = R"(
    i = Const(0) @@w:0
    enter = Enter[frame_name="f", parallel_iterations=10](i) @@w:0
    merge = Merge(enter, next) @@w:0
    ten = Const(10, ^merge) @@w:0
    less = Less(merge, ten) @@w:0
    cond = LoopCond(less) @@w:0
    switch = Switch(merge, cond) @@w:0
    one = Const(1, ^switch) @@w:0
    next = NextIteration(add) @@w:0
    add = AddV2(switch:1, one) @@w:0
    exit = Exit(switch) @@w:0)";

TEST(DebugWatchesTest, LoopsStayLoopsAndRunOneIterationAtATime) {
  auto graph = FromText(kLoop);
  ASSERT_TRUE(Insert({On("*", -1)}, *graph).ok());
  EXPECT_EQ(GetAttr<int64_t>(graph->Find("enter")->attrs, "parallel_iterations").value(), 1);
  EXPECT_NE(graph->Find("__dbg_switch:1_0_DebugIdentity"), nullptr);
  auto frames = AnalyzeFrames(*graph, FrameRules::kWhole);
  ASSERT_TRUE(frames.ok()) << frames.status();
  const auto frame_of = [&](const char* name) { return frames->input[graph->Find(name)->id()]; };
  EXPECT_EQ(frame_of("__copy_next_0"), frame_of("merge"));
  EXPECT_EQ(frame_of("__dbg_exit:0_0_DebugIdentity"), 0);
  // No node waits for the dump of a value that enters an iteration.
  for (const Edge* edge : graph->Find("merge")->in_edges()) EXPECT_FALSE(edge->control());
}

TEST(DebugWatchesTest, AWatchOnATensorHidesTheWildcard) {
  auto graph = FromText("a = Const(1.) @@w:0 ; b = Neg(a) @@w:0");
  ASSERT_TRUE(Insert({On("a", 0, "DebugNumericSummary"), On("*", -1)}, *graph).ok());
  EXPECT_NE(graph->Find("__dbg_a:0_0_DebugNumericSummary"), nullptr);
  EXPECT_EQ(graph->Find("__dbg_a:0_0_DebugIdentity"), nullptr);
  EXPECT_NE(graph->Find("__dbg_b:0_0_DebugIdentity"), nullptr);
}

TEST(DebugWatchesTest, ReadsTheAttributesOfAnOp) {
  auto graph = FromText("a = Const(1.) @@w:0");
  const DebugWatch watch{"a",
                         0,
                         {"DebugNumericSummary(mute_if_healthy=true; lower_bound=-2)",
                          "DebugIdentity(gated_grpc=True)"},
                         {kUrl}};
  ASSERT_TRUE(Insert({watch}, *graph).ok());
  const Node* summary = graph->Find("__dbg_a:0_0_DebugNumericSummary");
  EXPECT_EQ(GetAttr<bool>(summary->attrs, "mute_if_healthy").value(), true);
  EXPECT_EQ(GetAttr<float>(summary->attrs, "lower_bound").value(), -2);
  EXPECT_EQ(GetAttr<std::string>(summary->attrs, "tensor_name").value(), "a:0");
  const auto specs =
      GetAttr<std::vector<std::string>>(graph->Find("__copy_a_0")->attrs, "debug_ops_spec");
  EXPECT_THAT(*specs, testing::ElementsAre("DebugNumericSummary;file:///tmp/dump;0",
                                           "DebugIdentity;file:///tmp/dump;1"));
}

TEST(DebugWatchesTest, ToleratesWhatDoesNotSuitATensorOnlyIfAsked) {
  const char text[] = "a = Const([1, 2]) @@w:0";
  DebugWatch watch = On("a", 0, "DebugNumericSummary");
  absl::Status status = Insert({watch}, *FromText(text));
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(status.message(), HasSubstr("DebugNumericSummary on watched tensor a:0"));
  watch.tolerates_failures = true;
  EXPECT_EQ(After(text, {watch}), "__copy_a_0 = Copy(a)\na = Const()");
}

TEST(DebugWatchesTest, SaysWhatIsWrongWithAWatch) {
  const auto refusal = [](const DebugWatch& watch) {
    return std::string(Insert({watch}, *FromText("a = Const(1.) @@w:0")).message());
  };
  EXPECT_THAT(refusal(On("*", 0)), HasSubstr("expected to be -1"));
  EXPECT_THAT(refusal(On("a", -1)), HasSubstr("valid only for the wildcard node name"));
  EXPECT_THAT(refusal(On("a", 0, "DebugIdentity(")), HasSubstr("Malformed debug op name"));
  EXPECT_THAT(refusal(On("a", 0, "DebugIdentity(x)")), HasSubstr("Malformed attributes"));
  EXPECT_THAT(refusal(On("a", 0, "DebugIdentity(a=1;a=2)")), HasSubstr("Duplicate attribute"));
  EXPECT_EQ(refusal(On("a", 0, "DebugIdentity(foo=1)")),
            "1 attribute key(s) were not valid for debug node __dbg_a:0_0_DebugIdentity: foo");
  EXPECT_THAT(refusal(On("a", 0, "DebugIdentity(gated_grpc=maybe)")), HasSubstr("\"maybe\""));
  EXPECT_THAT(refusal(On("a", 0, "Neg")), HasSubstr("debug op Neg on watched tensor a:0"));
  EXPECT_THAT(refusal({"a", 0, {"DebugIdentity"}, {"grpc://here:1"}}),
              HasSubstr("\"grpc://here:1\""));
}

TEST(DebugWatchesTest, ItsNodesAreForWorkersAndNotForClients) {
  auto graph = FromText("a = Const(1.) @@w:0 ; b = Neg(a) @@w:0");
  ASSERT_TRUE(Insert({On("a", 0)}, *graph).ok());
  proto::GraphDef def;
  ASSERT_TRUE(Export(*graph, &def).ok());
  Graph there(&graph->ops());
  ImportOptions options;
  EXPECT_FALSE(Import(def, options, there).ok());
  Graph worker(&graph->ops());
  options.from_client = false;
  absl::Status status = Import(def, options, worker);
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(worker.num_nodes(), 4);
}

}  // namespace
}  // namespace sluice::graph
