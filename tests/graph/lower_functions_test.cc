// SPDX-License-Identifier: Apache-2.0
#include "graph/lowering/lower_functions.h"

#include <gmock/gmock.h>
#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <random>

#include "absl/strings/str_replace.h"
#include "graph/all_ops.h"
#include "graph/frames.h"
#include "graph/functions.h"
#include "graph/import.h"
#include "graph/signature.h"
#include "proto/graph.pb.h"
#include "tests/graph/graph_text.h"

namespace sluice::graph {
namespace {

using testing::HasSubstr;
using testing::Not;

// A GraphDef's text with short forms of attributes.
proto::GraphDef Def(const std::string& text) {
  const std::string full = absl::StrReplaceAll(
      text, {{"$T", "attr { key: 'T' value { type: DT_FLOAT } }"},
             {"$Tin", "attr { key: 'Tin' value { list { type: DT_FLOAT } } }"},
             {"$Tout", "attr { key: 'Tout' value { list { type: DT_FLOAT } } }"},
             {"$Tlist", "attr { key: 'T' value { list { type: DT_FLOAT } } }"},
             {"$one",
              "attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'value' value { "
              "tensor { dtype: DT_FLOAT tensor_shape {} float_val: 1 } } }"}});
  proto::GraphDef def;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(full, &def)) << full;
  return def;
}

const char kPlaceholders[] =
    "node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } }"
    "node { name: 'p' op: 'Placeholder' attr { key: 'dtype' value { type: DT_BOOL } } }"
    "node { name: 's' op: 'Placeholder' attr { key: 'dtype' value { type: DT_STRING } } }";

// neg(x) = -x; one(x) = 1; effect(x) = x after printing it; twice(x) = neg(neg(x)).
const char kLibrary[] = R"(
  library {
    function {
      signature { name: 'neg' input_arg { name: 'x' type: DT_FLOAT }
                  output_arg { name: 'y' type: DT_FLOAT } }
      node_def { name: 'n' op: 'Neg' input: 'x' $T }
      ret { key: 'y' value: 'n:y:0' }
    }
    function {
      signature { name: 'one' input_arg { name: 'x' type: DT_FLOAT }
                  output_arg { name: 'y' type: DT_FLOAT } }
      node_def { name: 'c' op: 'Const' $one }
      ret { key: 'y' value: 'c:output' }
    }
    function {
      signature { name: 'effect' input_arg { name: 'x' type: DT_FLOAT }
                  output_arg { name: 'y' type: DT_FLOAT } is_stateful: true }
      node_def { name: 'print' op: 'Print' input: 'x' $T
                 attr { key: 'U' value { list { } } } }
      ret { key: 'y' value: 'x' }
      control_ret { key: 'print' value: 'print' }
    }
    function {
      signature { name: 'twice' input_arg { name: 'x' type: DT_FLOAT }
                  output_arg { name: 'y' type: DT_FLOAT } }
      node_def { name: 'a' op: 'neg' input: 'x' }
      node_def { name: 'b' op: 'neg' input: 'a:y:0' device: '/cpu:1' }
      ret { key: 'y' value: 'b:y:0' }
    }
    function {
      signature { name: 'small' input_arg { name: 'x' type: DT_FLOAT }
                  output_arg { name: 'y' type: DT_BOOL } }
      node_def { name: 'c' op: 'Const' $one }
      node_def { name: 'less' op: 'Less' input: 'x' input: 'c:output:0' $T }
      ret { key: 'y' value: 'less:z:0' }
    }
    function {
      signature { name: 'cast' input_arg { name: 'x' type_attr: 'From' }
                  output_arg { name: 'y' type_attr: 'To' }
                  attr { name: 'From' type: 'type' } attr { name: 'To' type: 'type' } }
      node_def { name: 'c' op: 'Cast' input: 'x' attr { key: 'SrcT' value { placeholder: 'From' } }
                 attr { key: 'DstT' value { placeholder: 'To' } } }
      ret { key: 'y' value: 'c:y:0' }
    }
    function {
      signature { name: 'list' input_arg { name: 'x' type_attr: 'T' number_attr: 'N' }
                  output_arg { name: 'y' type_attr: 'T' number_attr: 'N' }
                  attr { name: 'T' type: 'type' } attr { name: 'N' type: 'int' } }
      node_def { name: 'swap' op: 'IdentityN' input: 'x:1' input: 'x:0'
                 attr { key: 'T' value { list { type: DT_FLOAT type: DT_FLOAT } } } }
      ret { key: 'y' value: 'swap:output' }
    }
  }
)";

struct Lowered {
  std::unique_ptr<Graph> graph;
  absl::Status status;
};

Lowered LowerText(const std::string& nodes, int64_t max_nodes = 1000) {
  Lowered lowered{std::make_unique<Graph>(&AllOps()), absl::OkStatus()};
  proto::GraphDef def = Def(std::string(kPlaceholders) + nodes);
  def.MergeFrom(Def(kLibrary));
  lowered.status = Import(def, {}, *lowered.graph);
  EXPECT_TRUE(lowered.status.ok()) << lowered.status;
  LowerOptions options;
  options.max_nodes = max_nodes;
  lowered.status = LowerFunctions(*lowered.graph, options);
  return lowered;
}

// The nodes that remain if only these are requested.
std::string Text(const std::string& nodes, const std::vector<std::string>& targets) {
  Lowered lowered = LowerText(nodes);
  EXPECT_TRUE(lowered.status.ok()) << lowered.status;
  std::vector<Node*> roots;
  for (const std::string& target : targets) roots.push_back(lowered.graph->Find(target));
  Prune(roots, *lowered.graph);
  EXPECT_TRUE(AnalyzeFrames(*lowered.graph).ok());
  return ToText(*lowered.graph);
}

std::string Call(const std::string& f, const std::string& more = "") {
  return "node { name: 'f' op: 'StatefulPartitionedCall' input: 'x' $Tin $Tout " + more +
         " attr { key: 'f' value { func { name: '" + f + "' } } } }";
}
const char kReader[] = "node { name: 'r' op: 'Neg' input: 'f' $T }";

TEST(LowerFunctionsTest, LeavesAGraphWithoutFunctionsAlone) {
  Graph graph(&AllOps());
  ASSERT_TRUE(Import(Def(kPlaceholders), {}, graph).ok());
  const int before = graph.num_ids();
  ASSERT_TRUE(LowerFunctions(graph).ok());
  EXPECT_EQ(graph.num_ids(), before);
}

TEST(LowerFunctionsTest, PutsABodyInThePlaceOfACall) {
  EXPECT_EQ(Text(Call("neg") + kReader, {"r"}),
            "f>n = Neg(x)\nf>out = Identity(f>n)\nr = Neg(f>out)\nx = Placeholder()");
  EXPECT_EQ(Text(Call("neg"), {"f"}),
            "f = IdentityN(f>out)\nf>n = Neg(x)\nf>out = Identity(f>n)\nx = Placeholder()");
}

TEST(LowerFunctionsTest, CallsByNameAndNestedCalls) {
  EXPECT_EQ(Text("node { name: 'f' op: 'twice' input: 'x' }" + std::string(kReader), {"r"}),
            "f>a>n = Neg(x)\nf>b>n = Neg(f>a>n)\nf>out = Identity(f>b>n)\nr = Neg(f>out)\n"
            "x = Placeholder()");
}

TEST(LowerFunctionsTest, AttributesAndListsOfTheCall) {
  EXPECT_EQ(Text("node { name: 'f' op: 'cast' input: 'x' attr { key: 'From' value { type: DT_FLOAT "
                 "} } attr { key: 'To' value { type: DT_INT32 } } }",
                 {"f"}),
            "f = IdentityN(f>out)\nf>c = Cast(x)\nf>out = Identity(f>c)\nx = Placeholder()");
  EXPECT_EQ(
      Text("node { name: 'f' op: 'list' input: 'x' input: 'y' $T attr { key: 'N' value { i: 2 "
           "} } } node { name: 'y' op: 'Neg' input: 'x' $T }"
           "node { name: 'r' op: 'Neg' input: 'f:1' $T }",
           {"r"}),
      "f>out_1 = Identity(f>swap:1)\nf>swap = IdentityN(y, x)\nr = Neg(f>out_1)\n"
      "x = Placeholder()\ny = Neg(x)");
}

TEST(LowerFunctionsTest, DevicesOfCallerAndBody) {
  Lowered lowered = LowerText(
      "node { name: 'f' op: 'StatefulPartitionedCall' input: 'x' $Tin $Tout "
      "device: '/job:ps' attr { key: 'f' value { func { name: 'twice' } } } }");
  ASSERT_TRUE(lowered.status.ok());
  EXPECT_EQ(lowered.graph->Find("f>a>n")->requested_device, "/job:ps");
  EXPECT_EQ(
      LowerText("node { name: 'f' op: 'StatefulPartitionedCall' input: 'x' $Tin $Tout device: "
                "'/job:ps/cpu:0' attr { key: 'f' value { func { name: 'there' } } } } library { "
                "function { signature { name: 'there' input_arg { name: 'x' type: DT_FLOAT } "
                "output_arg { name: 'y' type: DT_FLOAT } } node_def { name: 'n' op: 'Neg' "
                "input: 'x' $T device: '/task:1/cpu:2' } ret { key: 'y' value: 'n:y:0' } } }")
          .graph->Find("f>n")
          ->requested_device,
      "/job:ps/task:1/device:CPU:2");
  EXPECT_EQ(lowered.graph->Find("f")->requested_device, "/job:ps");
}

// A body has its own names: 'x' is a node beside its argument, and by chance a node of the graph.
TEST(LowerFunctionsTest, ColocationIsWithinTheBody) {
  const Lowered lowered = LowerText(
      "node { name: 'f' op: 'StatefulPartitionedCall' input: 'x' $Tin $Tout "
      "attr { key: 'f' value { func { name: 'near' } } } } library { function { signature { name: "
      "'near' input_arg { name: 'a' type: DT_FLOAT } output_arg { name: 'y' type: DT_FLOAT } } "
      "node_def { name: 'n' op: 'Neg' input: 'a' $T attr { key: '_class' value { list { "
      "s: 'loc:@x' s: 'loc:@m' } } } } node_def { name: 'm' op: 'Neg' input: 'n:y:0' $T } "
      "ret { key: 'y' value: 'm:y:0' } } }");
  ASSERT_TRUE(lowered.status.ok()) << lowered.status;
  EXPECT_EQ(GetAttrOr<std::vector<std::string>>(lowered.graph->Find("f>n")->attrs, "_class", {}),
            (std::vector<std::string>{"loc:@f>x", "loc:@f>m"}));
}

TEST(LowerFunctionsTest, ControlInputsComeBeforeTheBody) {
  const std::string after = "node { name: 'z' op: 'NoOp' }";
  const std::string call =
      absl::StrReplaceAll(Call("one"), {{"input: 'x'", "input: 'x' input: '^z'"}});
  EXPECT_EQ(Text(call + after, {"f"}),
            "f = IdentityN(f>out)\nf>c = Const(^f>start)\nf>in = Identity(x, ^z)\n"
            "f>out = Identity(f>c)\nf>start = NoOp(^f>in, ^z)\nx = Placeholder()\nz = NoOp()");
  EXPECT_EQ(Text(Call("one"), {"f"}), "f = IdentityN(f>out)\nf>c = Const()\nf>out = Identity(f>c)");
}

TEST(LowerFunctionsTest, EffectsOfACallComeBeforeItsOutputs) {
  const std::string all =
      "f>out = Identity(x, ^f>print)\nf>print = Print(x)\nr = Neg(f>out)\nx = Placeholder()";
  EXPECT_EQ(Text(Call("effect") + kReader, {"r"}), all);
}

// A variable, a value `n` that comes after `x`, and the function `read` of both.
constexpr char kRead[] = R"(
    node { name: 'h' op: 'VarHandleOp' attr { key: 'dtype' value { type: DT_FLOAT } }
           attr { key: 'shape' value { shape {} } } }
    node { name: 'n' op: 'Neg' input: 'x' $T }
    node { name: 'r' op: 'Neg' input: 'f' $T }
    library { function {
      signature { name: 'read' input_arg { name: 'h' type: DT_RESOURCE }
                  input_arg { name: 'x' type: DT_FLOAT }
                  output_arg { name: 'y' type: DT_FLOAT } is_stateful: true }
      node_def { name: 'v' op: 'ReadVariableOp' input: 'h'
                 attr { key: 'dtype' value { type: DT_FLOAT } } }
      node_def { name: 'add' op: 'Add' input: 'v:value:0' input: 'x' $T }
      ret { key: 'y' value: 'add:z:0' }
    } })";

TEST(LowerFunctionsTest, StateIsReadWhenAllArgumentsHaveCome) {
  const std::string soon =
      Text(std::string(kRead) + "node { name: 'f' op: 'read' input: 'h' input: 'x' }", {"r"});
  EXPECT_THAT(soon, HasSubstr("f>v = ReadVariableOp(h)\n"));
  const std::string late =
      Text(std::string(kRead) + "node { name: 'f' op: 'read' input: 'h' input: 'n' }", {"r"});
  EXPECT_THAT(late, HasSubstr("f>start = NoOp(^h, ^n)\nf>v = ReadVariableOp(h, ^f>start)\n"));
}

TEST(LowerFunctionsTest, StateOfABranchIsReadWhenAllInputsHaveCome) {
  const auto text = [](const std::string& input) {
    return Text(std::string(kRead) + "node { name: 'f' op: 'If' input: 'p' input: 'h' input: '" +
                    input +
                    R"(' attr { key: 'Tcond' value { type: DT_BOOL } }
                       attr { key: 'Tin' value { list { type: [ DT_RESOURCE, DT_FLOAT ] } } } $Tout
                       attr { key: 'then_branch' value { func { name: 'read' } } }
                       attr { key: 'else_branch' value { func { name: 'read' } } }
                       attr { key: '_lower_using_switch_merge' value { b: true } } })",
                {"r"});
  };
  EXPECT_THAT(text("x"), HasSubstr("f>then>v = ReadVariableOp(f>switch:1)\n"));
  EXPECT_THAT(text("n"), HasSubstr("f>then>v = ReadVariableOp(f>switch:1, ^f>pivot_1)\n"));
  EXPECT_THAT(text("n"), HasSubstr("f>pivot_1 = Identity(f>taken:1, ^h, ^n)\n"));
}

std::string If(const std::string& yes, const std::string& no, bool marked = true,
               const std::string& cond = "p") {
  return "node { name: 'f' op: 'If' input: '" + cond +
         "' input: 'x' $Tin $Tout attr { key: "
         "'Tcond' value { type: " +
         (cond == "p" ? "DT_BOOL" : "DT_STRING") +
         " } } "
         "attr { key: 'then_branch' value { func { name: '" +
         yes +
         "' } } } "
         "attr { key: 'else_branch' value { func { name: '" +
         no +
         "' } } } "
         "attr { key: '_lower_using_switch_merge' value { b: " +
         (marked ? "true" : "false") + " } } }";
}

TEST(LowerFunctionsTest, IfSwitchesAndMerges) {
  EXPECT_EQ(Text(If("neg", "one") + kReader, {"r"}),
            "f>else>c = Const(^f>pivot)\nf>merge = Merge(f>else>c, f>then>n)\n"
            "f>pivot = Identity(f>taken)\nf>switch = Switch(x, p)\nf>taken = Switch(p, p)\n"
            "f>then>n = Neg(f>switch:1)\np = Placeholder()\nr = Neg(f>merge)\nx = Placeholder()");
}

TEST(LowerFunctionsTest, AnIfThatIsNoBoolIsMadeOne) {
  EXPECT_THAT(Text(If("neg", "one", true, "s"), {"f"}), HasSubstr("f>bool = ToBool(s)"));
}

TEST(LowerFunctionsTest, EffectsOfAnIfRunOnlyForNodesThatWaitForIt) {
  EXPECT_THAT(Text(If("effect", "neg") + kReader, {"r"}), Not(HasSubstr("Print")));
  EXPECT_THAT(Text(If("effect", "neg") + kReader, {"f"}), HasSubstr("Print"));
  EXPECT_THAT(Text(If("effect", "neg", false) + kReader, {"r"}), HasSubstr("Print"));
}

std::string While(const std::string& cond, const std::string& body) {
  return "node { name: 'f' op: 'While' input: 'x' $Tlist attr { key: 'cond' value { func { name: "
         "'" +
         cond + "' } } } attr { key: 'body' value { func { name: '" + body +
         "' } } } attr { key: 'parallel_iterations' value { i: 3 } } }";
}

TEST(LowerFunctionsTest, WhileBecomesALoop) {
  EXPECT_EQ(Text(While("small", "neg") + kReader, {"r"}),
            "f>body>n = Neg(f>switch:1)\nf>cond = LoopCond(f>cond>less)\n"
            "f>cond>c = Const(^f>merge)\nf>cond>less = Less(f>merge, f>cond>c)\n"
            "f>enter = Enter(x)\nf>exit = Exit(f>switch)\nf>merge = Merge(f>enter, f>next)\n"
            "f>next = NextIteration(f>body>n)\nf>switch = Switch(f>merge, f>cond)\n"
            "r = Neg(f>exit)\nx = Placeholder()");
  Lowered lowered = LowerText(While("small", "neg"));
  ASSERT_TRUE(lowered.status.ok());
  EXPECT_EQ(*GetAttr<int64_t>(lowered.graph->Find("f>enter")->attrs, "parallel_iterations"), 3);
}

TEST(LowerFunctionsTest, AFedOutputIsWhatItsReadersRead) {
  Lowered lowered = LowerText(If("neg", "one") + std::string(kReader));
  ASSERT_TRUE(lowered.status.ok());
  for (Node* node : lowered.graph->nodes()) node->device = "/job:w/replica:0/task:0/device:CPU:0";
  ASSERT_TRUE(
      ApplySignature({{"f:0"}, {"r:0"}, {}}, "/job:w/replica:0/task:0/device:CPU:0", *lowered.graph)
          .ok());
  EXPECT_THAT(ToText(*lowered.graph), HasSubstr("r = Neg(_arg_f_0)"));
  EXPECT_THAT(ToText(*lowered.graph), Not(HasSubstr("Merge")));
}

TEST(LowerFunctionsTest, AnExtensionReadsWhatWasLoweredBefore) {
  Lowered lowered = LowerText(If("neg", "one"));
  ASSERT_TRUE(lowered.status.ok());
  LowerOptions options;
  options.first_id = lowered.graph->num_ids();
  ASSERT_TRUE(Import(Def(kReader), {}, *lowered.graph).ok());
  ASSERT_TRUE(LowerFunctions(*lowered.graph, options).ok());
  EXPECT_THAT(ToText(*lowered.graph), HasSubstr("r = Neg(f>merge)"));
}

TEST(LowerFunctionsTest, SymbolicGradientIsABodyOfItsOwn) {
  const std::string gradient =
      "node { name: 'g' op: 'SymbolicGradient' input: 'x' input: 'x' $Tout attr { key: 'Tin' value "
      "{ "
      "list { type: DT_FLOAT type: DT_FLOAT } } } attr { key: 'f' value { func { name: 'twice' } } "
      "} }";
  EXPECT_THAT(Text(gradient, {"g"}),
              testing::AllOf(HasSubstr("= Neg(x)"), HasSubstr("g>out = Identity(g>gradients")));
  EXPECT_THAT(
      Text(gradient + "library { gradient { function_name: 'twice' gradient_func: 'two' } "
                      "function { signature { name: 'two' input_arg { name: 'x' type: "
                      "DT_FLOAT } input_arg { name: 'dy' type: DT_FLOAT } output_arg { name: "
                      "'dx' type: DT_FLOAT } } ret { key: 'dx' value: 'dy' } } }",
           {"g"}),
      Not(HasSubstr("Neg")));
}

TEST(LowerFunctionsTest, AFunctionThatIsNotToBeInlinedNamesItsKernels) {
  Lowered lowered = LowerText(
      "node { name: 'f' op: 'alone' input: 'x' } node { name: 'h' op: 'alone' input: 'x' }"
      "library { function { signature { name: 'alone' input_arg { name: 'x' type: DT_FLOAT } "
      "output_arg { name: 'y' type: DT_FLOAT } is_stateful: true } node_def { name: 'print' op: "
      "'Print' input: 'x' $T attr { key: 'U' value { list { } } } } "
      "ret { key: 'y' value: 'print:output' } attr { key: '_noinline' value { b: true } } } }");
  ASSERT_TRUE(lowered.status.ok()) << lowered.status;
  const auto instance = [&](const char* node) {
    return *GetAttr<std::string>(lowered.graph->Find(node)->attrs, "_instance");
  };
  EXPECT_EQ(instance("f>print"), instance("h>print"));
}

TEST(LowerFunctionsTest, ARemoteCallOnAStatedTargetRunsThere) {
  Lowered lowered = LowerText(
      "node { name: 't' op: 'Const' attr { key: 'dtype' value { type: DT_STRING } } attr { key: "
      "'value' value { tensor { dtype: DT_STRING tensor_shape {} string_val: '/job:ps/task:1' } } "
      "} }"
      "node { name: 'f' op: 'RemoteCall' input: 't' input: 'x' $Tin $Tout attr { key: 'f' value { "
      "func { name: 'neg' } } } }");
  ASSERT_TRUE(lowered.status.ok()) << lowered.status;
  EXPECT_EQ(lowered.graph->Find("f>n")->requested_device, "/job:ps/task:1");
}

// The kernel of the call reports the error, so that only steps that run the call fail.
TEST(LowerFunctionsTest, ARemoteCallOnADeviceThatIsNotThereStays) {
  for (const char* target : {"/job:ps/task:1", "/cpu:7", "/gpu:0", "nowhere", "/cpu:0"}) {
    const proto::GraphDef def =
        Def(std::string(kPlaceholders) +
            "node { name: 't' op: 'Const' attr { key: 'dtype' value { type: DT_STRING } } attr { "
            "key: 'value' value { tensor { dtype: DT_STRING tensor_shape {} string_val: '" +
            target +
            "' } } } }"
            "node { name: 'f' op: 'RemoteCall' input: 't' input: 'x' $Tin $Tout attr { key: 'f' "
            "value { func { name: 'neg' } } } }" +
            kReader + kLibrary);
    Graph graph(&AllOps());
    ASSERT_TRUE(Import(def, {}, graph).ok());
    LowerOptions options;
    options.tasks = {"/job:ps/replica:0/task:0"};
    options.devices = {*DeviceName::Parse("/job:ps/replica:0/task:0/device:CPU:0")};
    ASSERT_TRUE(LowerFunctions(graph, options).ok());
    const bool known = target == std::string("/cpu:0");
    EXPECT_EQ(graph.Find("f")->op(), known ? "IdentityN" : "RemoteCall") << target;
    EXPECT_EQ(graph.Find("f")->attrs.contains("_tasks"), !known) << target;
  }
}

TEST(LowerFunctionsTest, ARemoteCallOnAnyTargetStandsOnEveryTask) {
  proto::GraphDef def = Def(std::string(kPlaceholders) +
                            "node { name: 'f' op: 'RemoteCall' input: 's' input: 'x' $Tin $Tout "
                            "attr { key: 'f' value { func { name: 'neg' } } } }" +
                            kReader + kLibrary);
  for (const std::vector<std::string>& tasks :
       {std::vector<std::string>(), {"/job:w/task:0", "/job:w/task:1"}}) {
    Graph graph(&AllOps());
    ASSERT_TRUE(Import(def, {}, graph).ok());
    LowerOptions options;
    options.tasks = tasks;
    ASSERT_TRUE(LowerFunctions(graph, options).ok());
    EXPECT_EQ(graph.Find("f")->op(), tasks.empty() ? "RemoteCall" : "IdentityN");
    if (tasks.empty()) continue;
    EXPECT_EQ(graph.Find("f>task_1")->requested_device, "/job:w/task:1");
    EXPECT_EQ(graph.Find("r")->input(0)->src->op(), "Merge");
    EXPECT_EQ(*GetAttr<std::vector<std::string>>(graph.Find("f>which")->attrs, "_tasks"), tasks);
  }
}

TEST(LowerFunctionsTest, AForChecksItsRangeOnce) {
  const std::string text = Text(
      "node { name: 'i' op: 'Placeholder' attr { key: 'dtype' value { type: DT_INT32 } } }"
      "node { name: 'f' op: 'For' input: 'i' input: 'i' input: 'i' input: 'x' $Tlist "
      "attr { key: 'body' value { func { name: 'step' } } } }"
      "library { function { signature { name: 'step' input_arg { name: 'i' type: DT_INT32 } "
      "input_arg { name: 'x' type: DT_FLOAT } output_arg { name: 'y' type: DT_FLOAT } } "
      "node_def { name: 'n' op: 'Neg' input: 'x' $T } ret { key: 'y' value: 'n:y:0' } } }",
      {"f"});
  EXPECT_THAT(text, HasSubstr("f>checked = Identity(f>start, ^f>check)"));
  EXPECT_THAT(text, HasSubstr("Enter(f>checked)"));
}

TEST(LowerFunctionsTest, AnImpossibleGradientFailsWhenItRuns) {
  Lowered lowered = LowerText(
      "node { name: 'g' op: 'SymbolicGradient' input: 'x' input: 'x' attr { key: 'Tin' value { "
      "list { type: DT_FLOAT type: DT_FLOAT } } } $Tout attr { key: 'f' value { func { name: "
      "'digits' } } } }"
      "library { function { signature { name: 'digits' input_arg { name: 'x' type: DT_FLOAT } "
      "output_arg { name: 'y' type: DT_FLOAT } } node_def { name: 'n' op: 'EagerPyFunc' input: 'x' "
      "$Tin $Tout "
      "attr { key: 'token' value { s: 't' } } } ret { key: 'y' value: 'n:output:0' } } }");
  ASSERT_TRUE(lowered.status.ok()) << lowered.status;
  const Node* left = lowered.graph->Find("g");
  EXPECT_EQ(left->op(), "SymbolicGradient");
  EXPECT_THAT(GetAttrOr<std::string>(left->attrs, "_refused", ""), HasSubstr("EagerPyFunc"));
}

TEST(LowerFunctionsTest, SurvivesDamagedFunctions) {
  const std::string good =
      Def(std::string(kPlaceholders) + If("effect", "twice") +
          absl::StrReplaceAll(While("small", "neg"), {{"'f'", "'w'"}}) +
          "node { name: 'n' op: 'twice' input: 'x' } node { name: 'l' op: 'list' input: 'x' input: "
          "'f' $T attr { key: 'N' value { i: 2 } } }" +
          kLibrary)
          .SerializeAsString();
  google::protobuf::SetLogHandler(nullptr);
  std::mt19937 random(7);
  int lowered = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string bytes = good;
    for (int i = 0; i < 1 + round % 3; ++i)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    proto::GraphDef def;
    if (!def.ParseFromString(bytes)) continue;
    Graph graph(&AllOps());
    if (!Import(def, {}, graph).ok()) continue;
    LowerOptions options;
    options.max_nodes = 1000;
    if (!LowerFunctions(graph, options).ok()) continue;
    EXPECT_TRUE(graph.TopologicalOrder().ok());
    ++lowered;
  }
  EXPECT_GT(lowered, 50);
}

TEST(LowerFunctionsTest, AWrongCallStaysAndSaysWhatIsWrong) {
  auto refusal = [](const std::string& text) {
    Lowered lowered = LowerText(text);
    EXPECT_TRUE(lowered.status.ok()) << lowered.status;
    return GetAttrOr<std::string>(lowered.graph->Find("f")->attrs, "_refused", "");
  };
  EXPECT_THAT(refusal(Call("absent")), HasSubstr("\"absent\""));
  EXPECT_THAT(refusal(Call("small")), testing::AllOf(HasSubstr("\"small\""), HasSubstr("bool")));
  EXPECT_THAT(refusal(While("neg", "small")), HasSubstr("\"small\""));
  EXPECT_THAT(refusal(Call("cast")), HasSubstr("\"cast\""));
}

TEST(LowerFunctionsTest, BodiesThatMakeTheGraphTooLargeFail) {
  EXPECT_EQ(LowerText(Call("twice"), 5).status.code(), absl::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace sluice::graph
