// SPDX-License-Identifier: Apache-2.0
// Functions made of graphs, and the gradients of calls, conditionals and loops.
// tests/python/functions_test.py tests their values; this file tests the structure of the graphs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/all_ops.h"
#include "graph/function_body.h"
#include "graph/gradients/gradients.h"
#include "graph/infer_attrs.h"
#include "graph/lowering/lower_functions.h"
#include "graph/make_function.h"
#include "tests/graph/graph_text.h"

namespace sluice::graph {
namespace {

using testing::HasSubstr;
using testing::Not;

Output Out(Graph& graph, const char* name, int index = 0) { return {graph.Find(name), index}; }

// A function of the text's nodes: placeholders named a, b, ... give the arguments.
std::string Function(Graph& graph, const std::string& name, const std::string& text,
                     const std::vector<const char*>& args, const std::vector<const char*>& rets) {
  auto body = FromText(text);
  FunctionSource source{body.get(), {}, {}, {}};
  for (const char* arg : args) source.args.push_back(Out(*body, arg));
  for (const char* ret : rets) source.rets.push_back(Out(*body, ret));
  auto made = AddFunction(graph, name, source);
  EXPECT_TRUE(made.ok()) << made.status();
  return made.value_or("");
}

std::string Body(const Graph& graph, const std::string& name) {
  auto body = Instantiate(graph.library, graph.ops(), name, {});
  EXPECT_TRUE(body.ok()) << body.status();
  return body.ok() ? ToText(*body->graph) : "";
}

const char kArg[] = "a = Placeholder[dtype=float]\n";

TEST(MakeFunctionTest, AGraphBecomesAFunction) {
  Graph graph(&AllOps());
  const std::string name = Function(graph, "f",
                                    "a = Placeholder[dtype=float]; b = Placeholder[dtype=float]\n"
                                    "s = Split[num_split=2](d, a); d = Const(0)\n"
                                    "m = Mul(s:1, b, ^n); n = NoOp(^s)",
                                    {"a", "b"}, {"m", "a"});
  EXPECT_EQ(name, "f");
  EXPECT_EQ(
      Body(graph, "f"),
      "_Arg/0 = _Arg()\n_Arg/1 = _Arg()\n_Retval/0 = _Retval(m)\n_Retval/1 = _Retval(_Arg/0)\n"
      "d = Const()\nm = Mul(s:1, _Arg/1, ^n)\nn = NoOp(^s)\ns = Split(d, _Arg/0)");
}

TEST(MakeFunctionTest, NamesAreUnique) {
  Graph graph(&AllOps());
  EXPECT_EQ(Function(graph, "f", kArg, {"a"}, {"a"}), "f");
  EXPECT_EQ(Function(graph, "f", "a = Placeholder[dtype=int32]", {"a"}, {"a"}), "f_1");
  EXPECT_EQ(Function(graph, "Neg", kArg, {"a"}, {"a"}), "Neg_1");  // an op's name
}

// The gradient of output 0 of node "f" for its input `x`.
Output Gradient(Graph& graph, const char* x) {
  const std::vector<Output> ys = {Out(graph, "f")}, xs = {Out(graph, x)};
  auto gradients = AddGradients(graph, ys, xs, {}, {});
  EXPECT_TRUE(gradients.ok()) << gradients.status();
  if (!gradients.ok() || !(*gradients)[0]) return {};
  return (*gradients)[0]->values;
}

void ExpectLowers(Graph& graph) {
  const absl::Status status = LowerFunctions(graph);
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_TRUE(graph.TopologicalOrder().ok());
}

TEST(FunctionalGradientsTest, BranchesSaveTheValuesThatTheBackwardPartReads) {
  Graph graph = std::move(*FromText("x = Placeholder[dtype=float]; p = Placeholder[dtype=bool]"));
  AttrMap attrs;
  attrs["Tout"] = std::vector<DType>{kFloat};
  attrs["then_branch"] =
      FunctionRef{Function(graph, "yes", std::string(kArg) + "e = Exp(a)", {"a"}, {"e"}), nullptr};
  attrs["else_branch"] =
      FunctionRef{Function(graph, "no", std::string(kArg) + "n = Neg(a)", {"a"}, {"n"}), nullptr};
  ASSERT_TRUE(
      AddNode(graph, "StatelessIf", {Out(graph, "p"), Out(graph, "x")}, attrs, {"f", ""}).ok());
  const Output dx = Gradient(graph, "x");
  ASSERT_TRUE(dx);
  EXPECT_EQ(dx.node->op(), "StatelessIf");
  EXPECT_EQ(graph.Find("f")->num_outputs(), 2);  // and e
  EXPECT_THAT(Body(graph, "yes_forward"), HasSubstr("_Retval/1 = _Retval(e)"));
  EXPECT_THAT(Body(graph, "no_forward"), HasSubstr("FakeParam"));
  EXPECT_THAT(Body(graph, "yes_backward"), Not(HasSubstr("Exp")));
  ExpectLowers(graph);
}

TEST(FunctionalGradientsTest, ACallThatSavesNothingStaysAsItIs) {
  Graph graph = std::move(*FromText("x = Placeholder[dtype=float]"));
  const FunctionRef f{Function(graph, "g", std::string(kArg) + "n = Neg(a)", {"a"}, {"n"}),
                      nullptr};
  ASSERT_TRUE(AddNode(graph, "PartitionedCall", {Out(graph, "x")},
                      {{"f", f}, {"Tout", std::vector<DType>{kFloat}}}, {"f", ""})
                  .ok());
  EXPECT_TRUE(Gradient(graph, "x"));
  EXPECT_EQ(graph.Find("f")->num_outputs(), 1);
  EXPECT_EQ(GetAttr<FunctionRef>(graph.Find("f")->attrs, "f")->name, "g");
  ExpectLowers(graph);
}

TEST(FunctionalGradientsTest, LoopsPushAndPop) {
  Graph graph = std::move(*FromText("x = Placeholder[dtype=float]; n = Placeholder[dtype=int32]"));
  const std::string args = std::string(kArg) + "i = Placeholder[dtype=int32]\n";
  AttrMap attrs;
  attrs["cond"] = FunctionRef{
      Function(graph, "c", args + "l = Less(i, k); k = Const(5)", {"a", "i"}, {"l"}), nullptr};
  attrs["body"] = FunctionRef{Function(graph, "b", args + "e = Exp(a); j = Add(i, k); k = Const(1)",
                                       {"a", "i"}, {"e", "j"}),
                              nullptr};
  ASSERT_TRUE(
      AddNode(graph, "StatelessWhile", {Out(graph, "x"), Out(graph, "n")}, attrs, {"f", ""}).ok());
  const Output dx = Gradient(graph, "x");
  ASSERT_TRUE(dx);
  EXPECT_EQ(dx.node->op(), "StatelessWhile");
  EXPECT_EQ(graph.Find("f")->num_outputs(), 4);  // a counter and a list
  EXPECT_THAT(Body(graph, "b_forward"), HasSubstr("TensorListPushBack(_Arg/3, e)"));
  EXPECT_THAT(Body(graph, "b_backward"), HasSubstr("TensorListPopBack"));
  EXPECT_THAT(Body(graph, "b_backward"), Not(HasSubstr("Exp")));
  ExpectLowers(graph);
}

TEST(FunctionalGradientsTest, AFailureLeavesTheLoopAsItWas) {
  Graph graph = std::move(*FromText("x = Placeholder[dtype=float]; y = TruncateMod(x, x)"));
  AttrMap attrs;
  attrs["cond"] = FunctionRef{
      Function(graph, "c", std::string(kArg) + "l = Less(a, k); k = Const(5.0)", {"a"}, {"l"}),
      nullptr};
  attrs["body"] =
      FunctionRef{Function(graph, "b", std::string(kArg) + "e = Exp(a)", {"a"}, {"e"}), nullptr};
  ASSERT_TRUE(AddNode(graph, "StatelessWhile", {Out(graph, "y")}, attrs, {"f", ""}).ok());
  const std::string before = ToText(graph);
  const std::vector<Output> ys = {Out(graph, "f")}, xs = {Out(graph, "x")};
  EXPECT_FALSE(AddGradients(graph, ys, xs, {}, {}).ok());
  EXPECT_EQ(ToText(graph), before);
  EXPECT_EQ(graph.Find("f")->num_inputs(), 1);
  EXPECT_EQ(GetAttr<FunctionRef>(graph.Find("f")->attrs, "body")->name, "b");
}

TEST(FunctionalGradientsTest, NamesTheFunctionThatHasNoGradient) {
  Graph graph = std::move(*FromText("x = Placeholder[dtype=float]"));
  const FunctionRef f{
      Function(graph, "g", std::string(kArg) + "n = TruncateMod(a, a)", {"a"}, {"n"}), nullptr};
  ASSERT_TRUE(AddNode(graph, "PartitionedCall", {Out(graph, "x")},
                      {{"f", f}, {"Tout", std::vector<DType>{kFloat}}}, {"f", ""})
                  .ok());
  const std::vector<Output> ys = {Out(graph, "f")}, xs = {Out(graph, "x")};
  const auto gradients = AddGradients(graph, ys, xs, {}, {});
  EXPECT_EQ(gradients.status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(gradients.status().message(), HasSubstr("\"g\""));
}

}  // namespace
}  // namespace sluice::graph
