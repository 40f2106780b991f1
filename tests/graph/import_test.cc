// SPDX-License-Identifier: Apache-2.0
#include "graph/import.h"

#include <absl/types/span.h>
#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include "graph/all_ops.h"
#include "graph/functions.h"
#include "proto/graph.pb.h"
#include "tests/graph/graph_text.h"

namespace sluice::graph {
namespace {

using testing::HasSubstr;

proto::GraphDef Def(const std::string& text) {
  proto::GraphDef def;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &def)) << text;
  return def;
}

const char kA[] =
    "node { name: 'a' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } } ";
const char kT[] = "attr { key: 'T' value { type: DT_FLOAT } }";

std::string Neg(const std::string& name, const std::string& input) {
  return "node { name: '" + name + "' op: 'Neg' input: '" + input + "' " + kT + " } ";
}

TEST(ImportTest, ReadsNodesInAnyOrder) {
  Graph graph(&AllOps());
  ASSERT_TRUE(Import(Def(Neg("b", "a:0") + kA +
                         "node { name: 'c' op: 'NoOp' input: '^b' device: '/job:w' } versions { "
                         "producer: 134 }"),
                     {}, graph)
                  .ok());
  EXPECT_EQ(ToText(graph), "a = Placeholder()\nb = Neg(a)\nc = NoOp(^b)");
  EXPECT_EQ(graph.Find("c")->requested_device, "/job:w");
  EXPECT_EQ(graph.producer_version, 134);
}

TEST(ImportTest, ExtendsAGraph) {
  Graph graph(&AllOps());
  ASSERT_TRUE(Import(Def("versions { producer: 22 }"), {}, graph).ok());
  ASSERT_TRUE(Import(Def(std::string(kA) + "versions { producer: 134 }"), {}, graph).ok());
  ASSERT_TRUE(
      Import(Def(Neg("b", "a") + "versions { producer: 134 min_consumer: 3 }"), {}, graph).ok());
  EXPECT_EQ(graph.num_nodes(), 2);
  EXPECT_EQ(graph.min_consumer, 3);
  EXPECT_EQ(Import(Def(Neg("c", "a") + "versions { producer: 135 }"), {}, graph).code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(ImportTest, AcceptsUnknownOps) {
  Graph graph(&AllOps());
  ASSERT_TRUE(Import(Def("node { name: 'a' op: 'Marvel' attr { key: 'x' value { i: 1 } } }" +
                         Neg("b", "a:2")),
                     {}, graph)
                  .ok());
  EXPECT_EQ(graph.Find("a")->op_def(), nullptr);
  EXPECT_EQ(graph.Find("a")->num_outputs(), 3);
}

struct Bad {
  const char* what;
  std::string def;
  std::vector<const char*> says;
};

// Each graph is refused with a message that has all parts of `says`, and changes nothing.
void ExpectRefused(absl::Span<const Bad> cases) {
  for (const Bad& bad : cases) {
    Graph graph(&AllOps());
    ASSERT_TRUE(Import(Def("node { name: 'before' op: 'Marvel' }"), {}, graph).ok());
    const absl::Status status = Import(Def(bad.def), {}, graph);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument)
        << bad.what << ": " << bad.def << "\n"
        << status;
    for (const char* part : bad.says) EXPECT_THAT(status.message(), HasSubstr(part)) << bad.def;
    EXPECT_EQ(ToText(graph), "before = Marvel()") << bad.def;
    EXPECT_EQ(graph.num_ids(), 1);
  }
}

TEST(ImportTest, RefusesBadNames) {
  ExpectRefused({
      {"name", "node { name: '_b' op: 'NoOp' }", {"_b", "Illegal op name"}},
      {"name", "node { name: 'b c' op: 'NoOp' }", {"b c"}},
      {"name", "node { op: 'NoOp' }", {"\"\""}},
      {"name", "node { name: 'b:1' op: 'NoOp' }", {"b:1"}},
      {"name", "node { name: '>b' op: 'NoOp' }", {">b"}},
      {"name", "node { name: 'b>' op: 'NoOp' }", {"b>"}},
      {"op", "node { name: 'b' }", {"\"b\""}},
      {"op", "node { name: 'b' op: '_Send' }", {"\"b\"", "_Send"}},
  });
}

TEST(ImportTest, RefusesBadInputs) {
  const std::string a = kA;
  const std::string kIf =
      "node { name: 'if' op: 'StatelessIf' input: 'a' "
      "attr { key: 'Tcond' value { type: DT_FLOAT } } attr { key: 'Tin' value { list {} } } "
      "attr { key: 'Tout' value { list { type: DT_FLOAT } } } "
      "attr { key: 'then_branch' value { func { name: 'f' } } } "
      "attr { key: 'else_branch' value { func { name: 'f' } } } } ";
  const std::string b_open = "node { name: 'b' op: 'Neg' input: 'a' ";
  ExpectRefused({
      {"duplicate", a + a, {"\"a\"", "Duplicate"}},
      {"missing input", Neg("b", "nobody"), {"\"b\"", "nobody"}},
      {"output", a + Neg("b", "a:1"), {"\"b\"", "a:1"}},
      {"output", a + Neg("b", "a:7"), {"\"b\"", "a:7"}},
      {"output", a + kIf + Neg("b", "if:1"), {"\"b\"", "output_all_intermediates(True)"}},
      {"output", a + Neg("b", "a:2147483647"), {"\"b\"", "2147483647"}},
      {"output", a + Neg("b", "a:99999999999999999999"), {"\"b\""}},
      {"output", a + Neg("b", "a:-1"), {"\"b\""}},
      {"output", a + Neg("b", "a:01"), {"\"b\""}},
      {"output", "node { name: 'a' op: 'Marvel' }" + Neg("b", "a:2147483647"), {"\"b\""}},
      {"input text", a + Neg("b", ""), {"\"b\""}},
      {"input text", a + Neg("b", ":0"), {"\"b\""}},
      {"input text", a + Neg("b", "^a"), {"\"b\"", "expected 1"}},
      {"input text", a + "node { name: 'b' op: 'NoOp' input: '^a:0' }", {"\"b\""}},
      {"input text", a + "node { name: 'b' op: 'NoOp' input: '^' }", {"\"b\""}},
      {"input order",
       a + "node { name: 'b' op: 'Neg' input: '^a' input: 'a' " + kT + " }",
       {"\"b\"", "after the data inputs"}},
      {"too many", a + b_open + "input: 'a' " + kT + " }", {"\"b\"", "expected 1"}},
      {"too few", "node { name: 'b' op: 'Neg' " + std::string(kT) + " }", {"\"b\"", "expected 1"}},
  });
}

TEST(ImportTest, RefusesCyclesAndOpenFrames) {
  const std::string a = kA;
  ExpectRefused({
      {"cycle", Neg("b", "c") + Neg("c", "b"), {"cycle"}},
      {"cycle", Neg("b", "b"), {"\"b\"", "cycle"}},
      {"cycle", "node { name: 'b' op: 'NoOp' input: '^b' }", {"\"b\"", "cycle"}},
      {"exit", a + "node { name: 'b' op: 'Exit' input: 'a' " + kT + " }", {"\"b\"", "Enter"}},
      {"next",
       a + "node { name: 'b' op: 'NextIteration' input: 'a' " + kT + " }",
       {"\"b\"", "Enter"}},
      {"next",
       "node { name: 'b' op: 'Merge' input: 'c' input: 'c' " + std::string(kT) +
           " attr { key: 'N' value { i: 2 } } } "
           "node { name: 'c' op: 'NextIteration' input: 'b' " +
           kT + " }",
       {"\"c\"", "Enter"}},
      {"merge",
       a + "node { name: 'b' op: 'Merge' input: 'a' " + kT + " attr { key: 'N' value { i: 1 } } }",
       {"\"b\""}},
  });
}

TEST(ImportTest, RefusesBadAttributes) {
  const std::string a = kA;
  const std::string b_open = "node { name: 'b' op: 'Neg' input: 'a' ";
  ExpectRefused({
      {"attr missing", a + b_open + "}", {"\"b\"", "T"}},
      {"attr type", a + b_open + "attr { key: 'T' value { i: 1 } } }", {"\"b\"", "T"}},
      {"attr value", a + b_open + "attr { key: 'T' value { type: DT_STRING } } }", {"\"b\"", "T"}},
      {"attr unknown", a + b_open + kT + " attr { key: 'q' value { i: 1 } } }", {"\"b\"", "q"}},
      {"attr unset",
       a + b_open + kT + " attr { key: '_q' value { placeholder: 'T' } } }",
       {"\"b\"", "_q"}},
      {"attr ref", a + b_open + "attr { key: 'T' value { type: DT_FLOAT_REF } } }", {"\"b\"", "T"}},
      {"attr number",
       a + "node { name: 'b' op: 'Pack' input: 'a' " + kT +
           " attr { key: 'N' value { i: 9223372036854775807 } } }",
       {"\"b\"", "N"}},
      {"attr number",
       a + "node { name: 'b' op: 'Pack' input: 'a' " + kT + " attr { key: 'N' value { i: -1 } } }",
       {"\"b\"", "N"}},
      {"_class",
       "node { name: 'b' op: 'NoOp' attr { key: '_class' value { i: 1 } } }",
       {"\"b\"", "_class"}},
      {"_output_shapes",
       "node { name: 'b' op: 'NoOp' attr { key: '_output_shapes' value { list { shape { dim { "
       "size: -7 } } } } } }",
       {"\"b\""}},
  });
}

TEST(ImportTest, RefusesBadTypesAndValues) {
  const std::string a = kA;
  ExpectRefused({
      {"types",
       a + "node { name: 'b' op: 'Neg' input: 'a' attr { key: 'T' value { type: DT_DOUBLE } } }",
       {"\"b\"", "float", "double"}},
      {"value to ref",
       a + "node { name: 'b' op: 'Assign' input: 'a' input: 'a' " + kT + " }",
       {"\"b\"", "incompatible"}},
      {"device", "node { name: 'b' op: 'NoOp' device: '/what:ever' }", {"\"b\""}},
      {"const",
       "node { name: 'b' op: 'Const' attr { key: 'dtype' value { type: DT_FLOAT } } "
       "attr { key: 'value' value { tensor { dtype: DT_INT32 tensor_shape {} } } } }",
       {"\"b\""}},
      {"const",
       "node { name: 'b' op: 'Const' attr { key: 'dtype' value { type: DT_FLOAT } } "
       "attr { key: 'value' value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: -1 } } } } "
       "} }",
       {"\"b\""}},
      {"const",
       "node { name: 'b' op: 'Const' attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: "
       "'value' value { tensor { "
       "dtype: DT_FLOAT tensor_shape { dim { size: 4611686018427387904 } dim { size: 4 } } } } } }",
       {"\"b\""}},
      {"version", "versions { min_consumer: 2147483647 }", {"consumer"}},
  });
}

TEST(ImportTest, GivesBackEverythingWhenItFails) {
  Graph graph(&AllOps());
  ASSERT_TRUE(Import(Def("node { name: 'u' op: 'Marvel' }"), {}, graph).ok());
  EXPECT_FALSE(Import(Def(Neg("b", "u:4") + Neg("c", "nobody") +
                          "library { function { signature { name: 'F' } } }"),
                      {}, graph)
                   .ok());
  EXPECT_EQ(graph.Find("u")->num_outputs(), 0);
  EXPECT_EQ(graph.Find("u")->out_edges().size(), 0u);
  EXPECT_EQ(graph.library, nullptr);
  ASSERT_TRUE(Import(Def(Neg("b", "u:4")), {}, graph).ok());
  EXPECT_EQ(graph.Find("u")->num_outputs(), 5);
}

TEST(ImportTest, ReadsReferencesAsValues) {
  Graph graph(&AllOps());
  const std::string v =
      "node { name: 'v' op: 'VariableV2' attr { key: 'dtype' value { type: DT_FLOAT } } "
      "attr { key: 'shape' value { shape {} } } }";
  EXPECT_TRUE(Import(Def(v + Neg("b", "v") +
                         "node { name: 'c' op: 'Assign' input: 'v' input: 'b' " + kT + " }"),
                     {}, graph)
                  .ok());
}

TEST(ImportTest, BoundsTheNumberOfNodes) {
  Graph graph(&AllOps());
  EXPECT_EQ(
      Import(Def(std::string(kA) + Neg("b", "a")), {.from_client = true, .max_nodes = 1}, graph)
          .code(),
      absl::StatusCode::kResourceExhausted);
}

TEST(ImportTest, TheRuntimeMayUseItsOwnNamesAndOps) {
  Graph graph(&AllOps());
  const proto::GraphDef def =
      Def("node { name: '_r' op: '_Arg' attr { key: 'T' value { type: DT_FLOAT } } "
          "attr { key: 'index' value { i: 0 } } }");
  EXPECT_FALSE(Import(def, {}, graph).ok());
  EXPECT_TRUE(Import(def, {.from_client = false}, graph).ok());
}

TEST(ExportTest, GivesBackWhatWasImported) {
  const proto::GraphDef def = Def(
      std::string(kA) + Neg("b", "a") + "node { name: 's' op: 'Switch' input: 'b' input: 'p' " +
      kT +
      " }"
      "node { name: 'p' op: 'Placeholder' attr { key: 'dtype' value { type: DT_BOOL } } }"
      "node { name: 'c' op: 'Neg' input: 's:1' input: '^a' input: '^b' device: '/job:w' " +
      kT +
      "}"
      "node { name: 'f' op: 'F' } library { function { signature { name: 'F' } node_def { name: "
      "'h' op: 'H' } } function { signature { name: 'G' } } function { signature { name: 'H' } } } "
      "versions { producer: 134 bad_consumers: 5 }");
  Graph graph(&AllOps());
  ASSERT_TRUE(Import(def, {}, graph).ok());
  proto::GraphDef out;
  ASSERT_TRUE(Export(graph, &out).ok());
  EXPECT_EQ(out.node(4).input(0), "s:1");
  EXPECT_EQ(out.node(4).input(1), "^a");
  EXPECT_EQ(out.node(4).device(), "/job:w");
  ASSERT_EQ(out.library().function_size(), 2);  // not G, which is never called
  EXPECT_EQ(out.library().function(0).signature().name(), "F");
  EXPECT_EQ(out.library().function(1).signature().name(), "H");
  EXPECT_EQ(out.versions().producer(), 134);
  Graph again(&AllOps());
  ASSERT_TRUE(Import(out, {}, again).ok());
  EXPECT_EQ(ToText(again), ToText(graph));
  EXPECT_EQ(again.Find("a")->attrs, graph.Find("a")->attrs);
}

const char kF[] =
    "function { signature { name: 'F' input_arg { name: 'x' type: DT_FLOAT } output_arg { name: "
    "'y' type: DT_INT32 } } "
    "node_def { name: 'n' op: 'Neg' } } ";

TEST(FunctionsTest, TypeTheNodesThatCallThem) {
  Graph graph(&AllOps());
  ASSERT_TRUE(
      Import(Def(std::string(kA) + "node { name: 'f' op: 'F' input: 'a' } library { " + kF + "}"),
             {}, graph)
          .ok());
  EXPECT_EQ(graph.Find("f")->op_def(), nullptr);
  EXPECT_EQ(graph.Find("f")->output_types[0], kInt32);
  EXPECT_FALSE(Import(Def("node { name: 'g' op: 'F' }"), {}, graph).ok());
}

TEST(FunctionsTest, MayBeSentAgainButNotChanged) {
  Graph graph(&AllOps());
  const std::string library = std::string("library { ") + kF + "}";
  ASSERT_TRUE(Import(Def(library), {}, graph).ok());
  auto before = graph.library;
  ASSERT_TRUE(Import(Def(library), {}, graph).ok());
  EXPECT_EQ(graph.library, before);
  EXPECT_THAT(Import(Def("library { function { signature { name: 'F' } } }"), {}, graph).message(),
              HasSubstr("\"F\""));
}

TEST(FunctionsTest, MayNotCallThemselves) {
  auto refused = [](const std::string& functions) {
    Graph graph(&AllOps());
    return Import(Def("library { " + functions + "}"), {}, graph).message() == "" ? "" : "refused";
  };
  auto calls = [](const std::string& name, const std::string& body) {
    return "function { signature { name: '" + name + "' } node_def { name: 'n' " + body + " } } ";
  };
  EXPECT_STREQ(refused(calls("F", "op: 'F'")), "refused");
  EXPECT_STREQ(refused(calls("F", "op: 'G'") + calls("G", "op: 'F'")), "refused");
  EXPECT_STREQ(refused(calls("F", "op: 'While' attr { key: 'body' value { func { name: 'F' } } }")),
               "refused");
  EXPECT_STREQ(refused(calls("F", "op: 'G'") + calls("G", "op: 'Neg'")), "");
  std::string deep;
  for (int i = 0; i < 10000; ++i)
    deep += calls("f" + std::to_string(i), "op: 'f" + std::to_string(i + 1) + "'");
  EXPECT_STREQ(refused(deep), "refused");
}

TEST(TensorNameTest, IsTakenApart) {
  auto parse = [](const char* text) {
    auto name = ParseTensorName(text);
    return name.ok() ? absl::StrCat(name->node, "|", name->output) : "bad";
  };
  EXPECT_EQ(parse("a"), "a|0");
  EXPECT_EQ(parse("a/b_1:12"), "a/b_1|12");
  EXPECT_EQ(parse("a>b"), "a>b|0");
  EXPECT_EQ(parse("^a"), "a|-1");
  EXPECT_EQ(parse("_recv/x:0"), "_recv/x|0");
  for (const char* bad : {"", ":0", "^", "a:", "a:x", "a:-1", "a b", "a:4294967296", "^a:1", "a\n"})
    EXPECT_EQ(parse(bad), "bad") << bad;
}

}  // namespace
}  // namespace sluice::graph
