// SPDX-License-Identifier: Apache-2.0
#include "graph/graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/all_ops.h"
#include "graph/frames.h"
#include "tests/graph/graph_text.h"

namespace sluice::graph {
namespace {

using testing::HasSubstr;

TEST(GraphTest, ResolvesTypesFromAttributes) {
  auto graph = FromText(
      "v = VariableV2[shape=[2], dtype=half] ; s = Switch(v, p) ; p = Placeholder[dtype=bool]");
  EXPECT_EQ(graph->Find("v")->output_types[0], MakeRef(kHalf));
  EXPECT_THAT(graph->Find("s")->output_types, testing::ElementsAre(kHalf, kHalf));
  EXPECT_EQ(GetAttr<std::string>(graph->Find("v")->attrs, "container").value(), "");  // a default
}

TEST(GraphTest, NamesTheNodeWhoseAttributesAreWrong) {
  Graph graph(&AllOps());
  auto node = graph.AddNode("m", "MatMul", {{"T", kString}});
  EXPECT_EQ(node.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(node.status().message(), HasSubstr("\"m\" (MatMul)"));
  EXPECT_EQ(graph.num_nodes(), 0);
}

TEST(GraphTest, KnowsANameOnce) {
  Graph graph(&AllOps());
  ASSERT_TRUE(graph.AddNode("a", "NoOp", {}).ok());
  EXPECT_EQ(graph.AddNode("a", "NoOp", {}).status().code(), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(graph.UniqueName("a"), "a_1");
  EXPECT_EQ(graph.UniqueName("b"), "b");
}

TEST(GraphTest, RemovesNodesWithTheirEdges) {
  auto graph = FromText("a = Const(1.) ; b = Neg(a) ; c = Add(a, b, ^b) ; d = NoOp(^a, ^c)");
  graph->RemoveNode(graph->Find("b"));
  EXPECT_EQ(ToText(*graph), "a = Const()\nc = Add(a, ?)\nd = NoOp(^a, ^c)");
  EXPECT_EQ(graph->Find("a")->out_edges().size(), 2u);
  EXPECT_EQ(graph->AddControlEdge(graph->Find("a"), graph->Find("d")), nullptr);
}

TEST(GraphTest, ClonesWithTheSameIds) {
  auto graph = FromText("a = Const(1.) ; b = Neg(a) ; c = Add(a, d, ^a) ; d = Neg(a)");
  graph->RemoveNode(graph->Find("b"));
  auto clone = graph->Clone();
  EXPECT_EQ(ToText(*clone), ToText(*graph));
  for (const Node* node : graph->nodes()) EXPECT_EQ(clone->Find(node->name())->id(), node->id());
}

TEST(GraphTest, SplitsIntoPartsWithoutEdgesBetweenThem) {
  auto graph = FromText("a = Const(1.) ; b = Neg(a) ; c = Const(2.) ; d = Neg(c, ^c)");
  auto parts = std::move(*graph).Split({0, 0, 1, 1}, 2);
  EXPECT_EQ(ToText(*parts[0]), "a = Const()\nb = Neg(a)");
  EXPECT_EQ(ToText(*parts[1]), "c = Const()\nd = Neg(c, ^c)");
  EXPECT_EQ(parts[1]->Find("d")->id(), 1);
}

TEST(GraphTest, OrdersSourcesFirst) {
  auto graph = FromText("c = Add(b, a) ; b = Neg(a) ; a = Const(1.)");
  auto order = graph->TopologicalOrder();
  ASSERT_TRUE(order.ok());
  EXPECT_EQ((*order)[0]->name(), "a");
  EXPECT_EQ((*order)[2]->name(), "c");
}

TEST(GraphTest, NamesANodeOnACycle) {
  auto graph = FromText(
      "x = Const(1.) ; a = Add[T=float](x, b) ; b = Neg[T=float](a) ; behind = Neg[T=float](b)");
  auto order = graph->TopologicalOrder();
  EXPECT_EQ(order.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(order.status().message(), testing::AnyOf(HasSubstr("\"a\""), HasSubstr("\"b\"")));
}

TEST(GraphTest, OrdersADeepChainWithoutRecursion) {
  Graph graph(&AllOps());
  Node* last = graph.AddNode("start", "NoOp", {}).value();
  for (int i = 0; i < 100000; ++i) {
    Node* next = graph.AddNode(absl::StrCat("n", i), "NoOp", {}).value();
    graph.AddControlEdge(last, next);
    last = next;
  }
  EXPECT_EQ(graph.TopologicalOrder()->size(), 100001u);
  EXPECT_TRUE(AnalyzeFrames(graph).ok());
}

TEST(FramesTest, FindsFramesAndTheirConditions) {
  auto graph = FromText(R"(
      x = Const(1.)
      e = Enter[frame_name="a"](x) ; m = Merge(e, n)
      t = Cast[DstT=bool](m) ; c = LoopCond(t) ; s = Switch(m, c)
      e2 = Enter[frame_name="b", parallel_iterations=3](s:1) ; x2 = Exit(e2)
      n = NextIteration(x2) ; out = Exit(s))");
  auto frames = AnalyzeFrames(*graph);
  ASSERT_TRUE(frames.ok()) << frames.status();
  ASSERT_EQ(frames->frames.size(), 3u);
  EXPECT_EQ(frames->frames[1].loop_cond, graph->Find("c"));
  EXPECT_EQ(frames->frames[2].parent, 1);
  EXPECT_EQ(frames->frames[2].parallel_iterations, 3);
  EXPECT_EQ(frames->input[graph->Find("e2")->id()], 1);
  EXPECT_EQ(frames->output[graph->Find("e2")->id()], 2);
  EXPECT_EQ(frames->output[graph->Find("x2")->id()], 1);
  EXPECT_EQ(frames->output[graph->Find("out")->id()], 0);
}

TEST(FramesTest, RefusesExitAndNextIterationOutsideOfFrames) {
  for (const char* op : {"Exit", "NextIteration"}) {
    auto frames = AnalyzeFrames(*FromText(absl::StrCat("x = Const(1.) ; y = ", op, "(x)")),
                                FrameRules::kStructure);
    EXPECT_EQ(frames.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(frames.status().message(), HasSubstr("\"y\""));
  }
}

}  // namespace
}  // namespace sluice::graph
