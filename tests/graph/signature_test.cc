// SPDX-License-Identifier: Apache-2.0
#include "graph/signature.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/graph/graph_text.h"

namespace sluice::graph {
namespace {

using testing::HasSubstr;

const char kClient[] = "/job:m/replica:0/task:0/device:CPU:0";

std::unique_ptr<Graph> Applied(const char* text, const Signature& signature) {
  auto graph = FromText(text);
  absl::Status status = ApplySignature(signature, kClient, *graph);
  EXPECT_TRUE(status.ok()) << status;
  return graph;
}

absl::Status Refusal(const char* text, const Signature& signature) {
  return ApplySignature(signature, kClient, *FromText(text));
}

const char kText[] = R"(
    x = Placeholder[dtype=float] @@w:0
    w = Const(2.) @@w:0
    y = AddN(x, w) @@w:0
    z = Neg(y, ^x) @@w:0
    side = NoOp(^x) @@w:0
    other = Neg(w) @@w:0
    v = VariableV2[shape=[], dtype=float] @@w:0
    set = Assign(v, w) @@w:0)";

TEST(SignatureTest, FeedsFetchesAndPrunes) {
  auto graph = Applied(kText, {{"x:0"}, {"z", "y:0"}, {}});
  EXPECT_EQ(ToText(*graph),
            "_arg_x_0 = _Arg() @/job:m/replica:0/task:0/device:CPU:0\n"
            "_retval_y_0 = _Retval(y) @/job:m/replica:0/task:0/device:CPU:0\n"
            "_retval_z_0 = _Retval(z) @/job:m/replica:0/task:0/device:CPU:0\n"
            "w = Const() @/job:w/replica:0/task:0/device:CPU:0\n"
            "y = AddN(_arg_x_0, w) @/job:w/replica:0/task:0/device:CPU:0\n"
            "z = Neg(y, ^_arg_x_0) @/job:w/replica:0/task:0/device:CPU:0");
  EXPECT_EQ(GetAttr<int64_t>(graph->Find("_retval_y_0")->attrs, "index").value(), 1);
  EXPECT_EQ(GetAttr<DType>(graph->Find("_arg_x_0")->attrs, "T").value(), kFloat);
}

TEST(SignatureTest, KeepsTheControlEdgesOfWhatIsNoPlaceholder) {
  auto graph = Applied("a = Const(1.) ; b = Neg(a, ^a)", {{"a"}, {"b"}, {}});
  EXPECT_EQ(graph->Find("b")->in_edges().size(), 2u);
  EXPECT_NE(graph->Find("a"), nullptr);
}

TEST(SignatureTest, RunsTargetsOnly) {
  auto graph = Applied(kText, {{}, {}, {"set", "side"}});
  EXPECT_EQ(graph->num_nodes(), 5);
  EXPECT_NE(graph->Find("v"), nullptr);
}

TEST(SignatureTest, AnswersAFetchOfWhatIsFed) {
  auto graph = Applied(kText, {{"x"}, {"x:0", "x"}, {}});
  EXPECT_EQ(graph->num_nodes(), 3);
  EXPECT_EQ(graph->Find("_retval_x_0_1")->input(0)->src, graph->Find("_arg_x_0"));
}

TEST(SignatureTest, FetchesAVariablesValue) {
  auto graph = Applied(kText, {{}, {"v"}, {}});
  EXPECT_EQ(GetAttr<DType>(graph->Find("_retval_v_0")->attrs, "T").value(), kFloat);
}

TEST(SignatureTest, FeedsSeveralOutputsOfANode) {
  auto graph = Applied(
      "p = Placeholder[dtype=bool] ; a = Const(1.) ; s = Switch(a, p) ; b = Neg(s) ; c = Neg(s:1)",
      {{"s:1", "s"}, {"b", "c"}, {}});
  EXPECT_EQ(graph->num_nodes(), 6);
  EXPECT_EQ(GetAttr<int64_t>(graph->Find("c")->input(0)->src->attrs, "index").value(), 0);
}

TEST(SignatureTest, RefusesWhatCannotBe) {
  using absl::StatusCode;
  struct Case {
    Signature signature;
    StatusCode code;
    const char* text;
  };
  const Case cases[] = {
      {{{}, {}, {}}, StatusCode::kInvalidArgument, "at least one target"},
      {{{"x", "x:0"}, {"y"}, {}}, StatusCode::kInvalidArgument, "x:0"},
      {{{"nobody"}, {"y"}, {}}, StatusCode::kNotFound, "nobody"},
      {{{"x:1"}, {"y"}, {}}, StatusCode::kInvalidArgument, "x:1"},
      {{{"x:99999999999"}, {"y"}, {}}, StatusCode::kInvalidArgument, "x:99999999999"},
      {{{"^x"}, {"y"}, {}}, StatusCode::kInvalidArgument, "^x"},
      {{{""}, {"y"}, {}}, StatusCode::kInvalidArgument, "name"},
      {{{}, {"nobody:0"}, {}}, StatusCode::kNotFound, "nobody:0"},
      {{{}, {"y:2"}, {}}, StatusCode::kInvalidArgument, "y:2"},
      {{{}, {"side"}, {}}, StatusCode::kInvalidArgument, "produces no output"},
      {{{}, {"y"}, {"nobody"}}, StatusCode::kNotFound, "nobody"},
      {{{"v"}, {"set"}, {}}, StatusCode::kInvalidArgument, "\"set\""},
  };
  for (const Case& c : cases) {
    const absl::Status status = Refusal(kText, c.signature);
    EXPECT_EQ(status.code(), c.code) << status;
    EXPECT_THAT(status.message(), HasSubstr(c.text));
  }
}

TEST(SignatureTest, PrunesWholeLoopsOnly) {
  auto graph = FromText(R"(
      x = Const(1.)
      e = Enter[frame_name="a"](x) ; m = Merge(e, n) ; t = Cast[DstT=bool](m) ; c = LoopCond(t) ; s = Switch(m, c)
      n = NextIteration(s:1) ; out = Exit(s) ; unused = Neg(out))");
  Prune({graph->Find("out")}, *graph);
  EXPECT_EQ(graph->num_nodes(), 8);
}

}  // namespace
}  // namespace sluice::graph
