// SPDX-License-Identifier: Apache-2.0
#include "graph/partition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "core/runtime/argument_memory.h"
#include "graph/all_ops.h"
#include "graph/frames.h"
#include "graph/import.h"
#include "graph/place.h"
#include "graph/signature.h"
#include "tests/graph/dry_run.h"
#include "tests/graph/graph_text.h"
#include "tests/graph/tf_programs.h"

namespace sluice::graph {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

std::vector<TaskPartition> Cut(std::unique_ptr<Graph> graph, const PartitionOptions& options = {}) {
  auto parts = Partition(std::move(graph), options);
  EXPECT_TRUE(parts.ok()) << parts.status();
  return parts.ok() ? *std::move(parts) : std::vector<TaskPartition>();
}

std::vector<const Graph*> Graphs(const std::vector<TaskPartition>& parts) {
  std::vector<const Graph*> graphs;
  for (const TaskPartition& part : parts) graphs.push_back(part.graph.get());
  return graphs;
}

std::vector<const Node*> NodesOf(const std::vector<TaskPartition>& parts, absl::string_view op) {
  std::vector<const Node*> found;
  for (const TaskPartition& part : parts) {
    for (const Node* node : part.graph->nodes()) {
      if (node->op() == op) found.push_back(node);
    }
  }
  return found;
}

template <typename T>
T AttrOf(const Node& node, absl::string_view name) {
  return GetAttr<T>(node.attrs, name).value();
}

// Every send has one recv with the same number, type, name and devices, on the device in its
// attribute.
void ExpectPaired(const std::vector<TaskPartition>& parts) {
  std::map<int64_t, const Node*> sends, recvs;
  for (const Node* send : NodesOf(parts, "_Send"))
    EXPECT_TRUE(sends.emplace(AttrOf<int64_t>(*send, "_edge"), send).second);
  for (const Node* recv : NodesOf(parts, "_Recv"))
    EXPECT_TRUE(recvs.emplace(AttrOf<int64_t>(*recv, "_edge"), recv).second);
  ASSERT_EQ(sends.size(), recvs.size());
  int64_t number = 0;
  for (const auto& [edge, send] : sends) {
    EXPECT_EQ(edge, number++);
    ASSERT_TRUE(recvs.contains(edge));
    const Node* recv = recvs[edge];
    for (const char* name : {"tensor_name", "send_device", "recv_device"}) {
      EXPECT_EQ(AttrOf<std::string>(*send, name), AttrOf<std::string>(*recv, name));
    }
    EXPECT_EQ(AttrOf<DType>(*send, "T"), AttrOf<DType>(*recv, "tensor_type"));
    EXPECT_EQ(AttrOf<std::string>(*send, "send_device"), send->device);
    EXPECT_EQ(AttrOf<std::string>(*recv, "recv_device"), recv->device);
    EXPECT_NE(send->device, recv->device);
  }
  for (const TaskPartition& part : parts) {
    for (const Node* node : part.graph->nodes()) {
      EXPECT_THAT(node->device, StartsWith(part.task + "/"));
      for (const Edge* edge : node->in_edges()) EXPECT_EQ(edge->src->device, node->device);
    }
    auto frames = AnalyzeFrames(*part.graph);
    EXPECT_TRUE(frames.ok()) << frames.status();
  }
}

// The partitioned graph computes the same as the whole graph, and every sent value is received.
void ExpectSameRun(std::unique_ptr<Graph> graph, int trips) {
  const DryRun whole = Run({graph.get()}, trips);
  std::vector<std::string> compared;
  for (const Node* node : graph->nodes()) {
    if (node->flow() != Flow::kEnter && node->flow() != Flow::kNextIteration)
      compared.push_back(node->name());
  }
  const std::vector<TaskPartition> parts = Cut(std::move(graph));
  ASSERT_FALSE(parts.empty());
  ExpectPaired(parts);
  const DryRun cut = Run(Graphs(parts), trips);
  EXPECT_THAT(cut.problems, IsEmpty());
  EXPECT_EQ(whole.fetched, cut.fetched);
  for (const std::string& name : compared) {
    auto count = [&](const DryRun& run) { return run.runs.contains(name) ? run.runs.at(name) : 0; };
    EXPECT_EQ(count(whole), count(cut)) << name << ", " << trips << " iterations";
  }
}

TEST(PartitionTest, LeavesOneDeviceAlone) {
  auto parts = Cut(FromText("a = Const(1.) @@ps:0 ; b = Neg(a) @@ps:0"));
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].task, "/job:ps/replica:0/task:0");
  EXPECT_EQ(parts[0].graph->num_nodes(), 2);
}

TEST(PartitionTest, SendsATensorOnceToADevice) {
  auto parts = Cut(FromText(R"(
      a = Const(1.) @@ps:0
      b = Neg(a) @@w:0 ; c = Add(a, a) @@w:0
      d = Neg(a) @@w:1)"));
  ASSERT_EQ(parts.size(), 3u);
  ExpectPaired(parts);
  EXPECT_EQ(NodesOf(parts, "_Send").size(), 2u);
  const Node* recv = NodesOf(parts, "_Recv")[0];
  EXPECT_EQ(recv->out_edges().size(), 3u);
  EXPECT_EQ(AttrOf<std::string>(*recv, "tensor_name"), "edge_0_a");
  EXPECT_EQ(AttrOf<int64_t>(*recv, "send_device_incarnation"), 0);
  EXPECT_FALSE(AttrOf<bool>(*recv, "client_terminated"));
}

TEST(PartitionTest, CutsBetweenDevicesOfOneTaskToo) {
  auto parts = Cut(FromText("a = Const(1.) @@w:0:0 ; b = Neg(a) @@w:0:1"));
  ASSERT_EQ(parts.size(), 1u);
  ExpectPaired(parts);
  EXPECT_EQ(parts[0].graph->num_nodes(), 4);
}

TEST(PartitionTest, MarksTensorsThatGoToADevicesOwnMemory) {
  auto graph =
      FromText("a = Const(1.) @@ps:0 ; b = Neg(a) @@w:0 ; c = Neg(a) @@w:0 ; d = Neg(a) @@w:0");
  for (const char* on_gpu : {"b", "c"})
    graph->Find(on_gpu)->device = "/job:w/replica:0/task:0/device:GPU:0";
  PartitionOptions options;
  options.host_output = [](const Node& node, int) { return node.name() != "b"; };
  options.host_input = [](const Node& node, int) { return node.name() != "b"; };
  const auto parts = Cut(std::move(graph), options);
  int to_device = 0;
  for (const char* op : {"_Recv", "_HostRecv"}) {
    for (const Node* recv : NodesOf(parts, op)) {
      const bool marked =
          (static_cast<uint64_t>(AttrOf<int64_t>(*recv, "_edge")) & kToDeviceMemory) != 0;
      const bool read_by_b = recv->out_edges().front()->dst->name() == "b";
      EXPECT_EQ(marked, read_by_b) << recv->name();
      to_device += marked ? 1 : 0;
    }
  }
  EXPECT_EQ(to_device, 1);
}

TEST(PartitionTest, CutsControlEdgesToo) {
  auto parts = Cut(FromText(R"(
      a = NoOp @@ps:0
      b = Const(1., ^a) @@w:0 ; c = NoOp(^a) @@w:0 ; d = NoOp(^a) @@w:1)"));
  ExpectPaired(parts);
  ASSERT_EQ(NodesOf(parts, "_Send").size(), 2u);
  const Node* send = NodesOf(parts, "_Send")[0];
  EXPECT_EQ(AttrOf<DType>(*send, "T"), kFloat);
  const Node* signal = send->input(0)->src;
  EXPECT_EQ(signal->op(), "Const");
  EXPECT_EQ(AttrOf<Tensor>(*signal, "value").num_elements(), 0);
  EXPECT_EQ(signal->out_edges().size(), 2u);  // one signal for both devices
  EXPECT_EQ(NodesOf(parts, "_Recv")[0]->out_edges().size(), 2u);
}

TEST(PartitionTest, ReadsAReferenceAfterTheControlInputsOfItsReader) {
  auto parts = Cut(FromText(R"(
      v = VariableV2[shape=[], dtype=float] @@ps:0
      x = Const(1.) @@ps:0
      set = Assign(v, x) @@ps:0
      far = Neg(y) @@w:1 ; y = Const(2.) @@w:1
      one = AddN(v, far, ^set) @@w:0
      two = Neg(v) @@w:0)"));
  ExpectPaired(parts);
  std::vector<const Node*> of_v;
  for (const Node* send : NodesOf(parts, "_Send")) {
    if (send->input(0)->src->name() == "v") of_v.push_back(send);
  }
  ASSERT_EQ(of_v.size(), 2u);  // not shared
  auto waits = [](const Node* send) {
    std::vector<std::string> names;
    for (const Edge* edge : send->in_edges()) {
      if (edge->control()) names.push_back(edge->src->name());
    }
    std::sort(names.begin(), names.end());
    return names;
  };
  const bool first = !waits(of_v[0]).empty();
  EXPECT_EQ(waits(of_v[first ? 0 : 1]).size(), 2u);  // the assignment, and a recv for far
  EXPECT_EQ(waits(of_v[first ? 0 : 1])[1], "set");
  EXPECT_THAT(waits(of_v[first ? 1 : 0]), IsEmpty());
}

TEST(PartitionTest, RefusesToWriteAVariableFromAfar) {
  auto parts = Partition(FromText(R"(
      v = VariableV2[shape=[], dtype=float] @@ps:0
      x = Const(1.) @@w:0
      set = Assign(v, x) @@w:0)"),
                         {});
  EXPECT_EQ(parts.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(parts.status().message(), HasSubstr("\"set\""));
}

TEST(PartitionTest, CopiesBetweenMemoriesOfOneDevice) {
  PartitionOptions options;
  options.host_output = [](const Node& node, int) { return node.name() == "a"; };
  options.host_input = [](const Node& node, int) { return node.name() == "c"; };
  auto parts =
      Cut(FromText("a = Const(1.) @@w:0 ; b = Neg(a) @@w:0 ; c = Neg(b) @@w:0 ; d = Neg(b) @@w:0"),
          options);
  const auto hosts = NodesOf(parts, "_HostSend");
  ASSERT_EQ(hosts.size(), 1u);
  EXPECT_EQ(hosts[0]->input(0)->src->name(), "a");
  ASSERT_EQ(NodesOf(parts, "_HostRecv").size(), 1u);
  EXPECT_EQ(NodesOf(parts, "_HostRecv")[0]->out_edges()[0]->dst->name(), "c");
  for (const Node* recv : NodesOf(parts, "_Recv")) {
    EXPECT_TRUE(AttrOf<bool>(*recv, "_hostmem_sendrecv"));
    EXPECT_EQ(recv->in_edges().size(), 1u);  // its send
  }
}

TEST(PartitionTest, CarriesUnknownOpsAlong) {
  auto parts =
      Cut(FromText("a = Marvel @@w:0 ; b = Neg[T=double](a:3) @@w:1 ; c = Wonder(a:1) @@w:1"));
  ExpectPaired(parts);
  for (const Node* send : NodesOf(parts, "_Send")) {
    EXPECT_EQ(AttrOf<DType>(*send, "T"), send->input(0)->src_output == 3 ? kDouble : kFloat);
  }
}

TEST(PartitionTest, RefusesANodeWithoutADevice) {
  EXPECT_THAT(Partition(FromText("a = NoOp"), {}).status().message(), HasSubstr("\"a\""));
}

// ---- Loops. %A, %B, %C are devices.

std::string On(std::string text, const std::string& a, const std::string& b, const std::string& c) {
  for (auto [from, to] : {std::pair{"%A", &a}, {"%B", &b}, {"%C", &c}}) {
    for (size_t at; (at = text.find(from)) != std::string::npos;) text.replace(at, 2, *to);
  }
  return text;
}

// The variable is on A and so is the condition; the body's work on B; its bias on C.
constexpr char kLoop[] = R"(
    x = Const(1.) @@%A ; bias = Const(2.) @@%C ; limit = Const(9.) @@%A
    enter = Enter[frame_name="f"](x) @@%A
    merge = Merge(enter, next) @@%A
    elimit = Enter[frame_name="f", is_constant=true](limit) @@%B
    less = Less(merge, elimit) @@%A
    cond = LoopCond(less) @@%A
    switch = Switch(merge, cond) @@%B
    ebias = Enter[frame_name="f", is_constant=true](bias) @@%B
    pivot = Identity(switch:1) @@%B
    step = Const(1., ^pivot) @@%C
    work = AddN(pivot, step, ebias) @@%B
    side = Neg(ebias, ^pivot) @@%C
    use = Add(work, side) @@%B
    next = NextIteration(use) @@%C
    exit = Exit(switch) @@%C
    out = _Retval[index=0](exit) @@%B)";

TEST(LoopPartitionTest, RunsOverOneTwoAndThreeDevices) {
  for (const char* places : {"w:0 w:0 w:0", "w:0 ps:0 w:0", "w:0 w:0 ps:0", "w:0 ps:0 ps:0",
                             "w:0 ps:0 ps:1", "w:0:0 w:0:1 ps:0"}) {
    std::vector<std::string> p = absl::StrSplit(places, ' ');
    for (int trips : {0, 1, 5}) {
      SCOPED_TRACE(places);
      ExpectSameRun(FromText(On(kLoop, p[0], p[1], p[2])), trips);
    }
  }
}

TEST(LoopPartitionTest, PlacesControlNodesBesideTheNodesTheyControl) {
  auto parts = Cut(FromText(On(kLoop, "a:0", "b:0", "c:0")));
  for (const TaskPartition& part : parts) {
    for (const Node* node : part.graph->nodes()) {
      if (node->name() == "switch" || node->name() == "next" || node->name() == "exit" ||
          node->name() == "enter") {
        EXPECT_EQ(node->device, FullDevice("a:0")) << node->name();
      }
    }
  }
  std::vector<std::string> copies;  // ebias feeds work on B and side on C
  for (const Node* enter : NodesOf(parts, "Enter")) {
    if (absl::StartsWith(enter->name(), "ebias")) copies.push_back(enter->device);
  }
  EXPECT_THAT(copies, testing::UnorderedElementsAre(FullDevice("b:0"), FullDevice("c:0")));
}

TEST(LoopPartitionTest, MakesOneControlLoopForAFrameAndDevice) {
  auto parts = Cut(FromText(On(kLoop, "a:0", "b:0", "c:0")));
  std::vector<std::string> loops;
  for (const Node* merge : NodesOf(parts, "Merge")) {
    if (absl::StartsWith(merge->name(), "_cloop")) loops.push_back(merge->device);
  }
  EXPECT_THAT(loops, testing::UnorderedElementsAre(FullDevice("a:0"), FullDevice("b:0"),
                                                   FullDevice("c:0")));
  for (const Node* recv : NodesOf(parts, "_Recv")) {
    for (const Edge* edge : recv->in_edges()) EXPECT_THAT(edge->src->name(), StartsWith("_cloop"));
  }
}

TEST(LoopPartitionTest, NeedsALoopCondToCrossDevices) {
  const char* text = R"(
      x = Const(1.) @@a:0
      enter = Enter[frame_name="f"](x) @@a:0
      merge = Merge(enter, next) @@a:0
      work = Neg(merge) @@b:0
      next = NextIteration(work) @@a:0
      t = NoOp(^work) @@b:0)";
  auto parts = Partition(FromText(text), {});
  EXPECT_EQ(parts.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(parts.status().message(), HasSubstr("no LoopCond"));
}

TEST(LoopPartitionTest, RefusesAFetchInsideALoop) {
  auto parts = Partition(
      FromText(On(kLoop, "a:0", "a:0", "a:0") + "\n r = _Retval[index=1](use) @@a:0"), {});
  EXPECT_THAT(parts.status().message(), HasSubstr("\"use\""));
}

TEST(LoopPartitionTest, RefusesInputsFromDifferentFrames) {
  auto parts = Partition(FromText(On(kLoop, "a:0", "a:0", "a:0") + "\n r = Add(x, use) @@a:0"), {});
  EXPECT_THAT(parts.status().message(),
              HasSubstr("{{node r}} has inputs from different frames. The input {{node "));
  EXPECT_THAT(parts.status().message(), HasSubstr("is in frame ''."));
}

// The inner loop runs in a branch of the outer one's body; inner work on B, the rest of the outer
// body on A.
constexpr char kNested[] = R"(
    x = Const(1.) @@%A
    enter = Enter[frame_name="outer"](x) @@%A
    merge = Merge(enter, next) @@%A
    less = Neg(merge) @@%C
    test = Cast[DstT=bool](less) @@%C
    cond = LoopCond(test) @@%A
    switch = Switch(merge, cond) @@%A
    body = Identity(switch:1) @@%A
    flag = Cast[DstT=bool](body) @@%C
    branch = Switch(body, flag) @@%C
    ienter = Enter[frame_name="inner"](branch:1) @@%B
    imerge = Merge(ienter, inext) @@%B
    itest = Cast[DstT=bool](imerge) @@%C
    icond = LoopCond(itest) @@%C
    iswitch = Switch(imerge, icond) @@%B
    iwork = Neg(iswitch:1) @@%A
    inext = NextIteration(iwork) @@%B
    iexit = Exit(iswitch) @@%B
    other = Neg(branch) @@%B
    join = Merge(iexit, other) @@%A
    next = NextIteration(join) @@%A
    exit = Exit(switch) @@%A
    out = _Retval[index=0](exit) @@%A)";

TEST(LoopPartitionTest, NestsLoops) {
  for (const char* places :
       {"w:0 w:0 w:0", "w:0 ps:0 w:0", "w:0 w:0 ps:0", "w:0 ps:0 ps:1", "w:0 ps:0 w:0:1"}) {
    std::vector<std::string> p = absl::StrSplit(places, ' ');
    for (int trips : {0, 1, 2, 4}) {
      SCOPED_TRACE(places);
      ExpectSameRun(FromText(On(kNested, p[0], p[1], p[2])), trips);
    }
  }
}

// A variable on the parameter server that the loop reads and writes by reference.
TEST(LoopPartitionTest, ReadsVariablesOfAnotherTaskInEachIteration) {
  ExpectSameRun(FromText(R"(
      v = VariableV2[shape=[], dtype=float] @@ps:0
      x = Const(1.) @@w:0
      enter = Enter[frame_name="f"](x) @@w:0
      merge = Merge(enter, next) @@w:0
      test = Cast[DstT=bool](merge) @@w:0
      cond = LoopCond(test) @@w:0
      switch = Switch(merge, cond) @@w:0
      ev = RefEnter[frame_name="f", is_constant=true](v) @@ps:0
      delta = Neg(switch:1) @@w:0
      set = AssignAdd(ev, delta) @@ps:0
      read = Add(ev, delta, ^set) @@w:0
      next = NextIteration(read) @@w:0
      exit = Exit(switch) @@w:0
      out = _Retval[index=0](exit) @@w:0)"),
                3);
}

// ---- Random graphs.

class RandomGraph {
 public:
  RandomGraph(uint32_t seed, const std::vector<std::string>& devices)
      : random_(seed), devices_(devices), graph_(std::make_unique<Graph>(&AllOps())) {}

  std::unique_ptr<Graph> Make() {
    Scope root;
    for (int i = 0; i < 3; ++i)
      root.values.push_back(
          Add("Const", {{"dtype", kFloat}, {"value", Tensor::Scalar<float>(1)}}, {}));
    Fill(root, 0, 12);
    for (int i = 0; i < 4; ++i)
      Add("_Retval", {{"T", kFloat}, {"index", i}}, {root.values[root.values.size() - 1 - i]});
    return std::move(graph_);
  }

 private:
  struct Value {
    Node* node;
    int output;
  };
  struct Scope {
    std::vector<Value> values;
    Node* pivot = nullptr;  // a control input for nodes without inputs
  };

  int Pick(int n) { return static_cast<int>(random_() % n); }
  Value Any(const Scope& scope) {
    return scope.values[Pick(static_cast<int>(scope.values.size()))];
  }

  Value Add(const char* op, AttrMap attrs, const std::vector<Value>& inputs,
            Node* control = nullptr) {
    Node* node =
        graph_->AddNode(absl::StrCat("n", graph_->num_ids()), op, std::move(attrs)).value();
    node->device = devices_[Pick(static_cast<int>(devices_.size()))];
    for (size_t i = 0; i < inputs.size(); ++i)
      graph_->AddEdge(inputs[i].node, inputs[i].output, node, static_cast<int>(i));
    if (control != nullptr) graph_->AddControlEdge(control, node);
    return {node, 0};
  }

  void Fill(Scope& scope, int depth, int count) {
    for (int i = 0; i < count; ++i) {
      switch (Pick(depth < 3 ? 9 : 6)) {
        case 0:
        case 1:
          scope.values.push_back(
              Add("Neg", {{"T", kFloat}}, {Any(scope)}, Pick(3) == 0 ? Any(scope).node : nullptr));
          break;
        case 2:
        case 3:
          scope.values.push_back(Add("Add", {{"T", kFloat}}, {Any(scope), Any(scope)}));
          break;
        case 4:
          scope.values.push_back(Add(
              "Const", {{"dtype", kFloat}, {"value", Tensor::Scalar<float>(2)}}, {}, scope.pivot));
          break;
        case 5:
          scope.values.push_back(Add("Identity", {{"T", kFloat}}, {Any(scope)},
                                     Pick(3) == 0 ? Any(scope).node : nullptr));
          break;
        case 6:
          Branch(scope, depth + 1);
          break;
        default:
          Loop(scope, depth + 1);
      }
    }
  }

  Value Predicate(const Scope& scope) {
    return Add("Cast", {{"SrcT", kFloat}, {"DstT", kBool}}, {Any(scope)});
  }

  void Branch(Scope& scope, int depth) {
    const Value pred = Predicate(scope);
    std::vector<Value> ends;
    for (int side : {0, 1}) {
      Scope branch;
      for (int i = 0; i < 2; ++i)
        branch.values.push_back({Add("Switch", {{"T", kFloat}}, {Any(scope), pred}).node, side});
      branch.pivot = Add("Identity", {{"T", kFloat}}, {branch.values[0]}).node;
      Fill(branch, depth, 3);
      ends.push_back(branch.values.back());
    }
    scope.values.push_back(Add("Merge", {{"T", kFloat}, {"N", 2}}, ends));
  }

  void Loop(Scope& scope, int depth) {
    const std::string frame = absl::StrCat("frame", graph_->num_ids());
    const AttrMap enter = {{"T", kFloat}, {"frame_name", frame}};
    AttrMap constant = enter;
    constant["is_constant"] = true;
    std::vector<Node*> merges;
    Scope cond, body;
    // A loop is entered with all its values or, in a branch not taken, with none.
    std::vector<Value> entering;
    for (int i = 0; i < 4; ++i)
      entering.push_back(Add("Identity", {{"T", kFloat}}, {Any(scope)}, scope.pivot));
    auto enter_with = [&](const AttrMap& attrs, int i) {
      const Value entered = Add("Enter", attrs, {entering[i]});
      for (const Value& other : entering) graph_->AddControlEdge(other.node, entered.node);
      return entered;
    };
    for (int i = 0; i < 2; ++i) {
      merges.push_back(Add("Merge", {{"T", kFloat}, {"N", 2}}, {enter_with(enter, i)}).node);
      cond.values.push_back({merges.back(), 0});
    }
    for (int i = 2; i < 4; ++i) {
      const Value outer = enter_with(constant, i);
      cond.values.push_back(outer);
      body.values.push_back(outer);
    }
    cond.pivot = merges[0];
    Fill(cond, 3, 2);
    const Value loop_cond = Add("LoopCond", {}, {Predicate(cond)});
    for (Node* merge : merges) {
      const Value split = Add("Switch", {{"T", kFloat}}, {{merge, 0}, loop_cond});
      body.values.push_back({split.node, 1});
      scope.values.push_back(Add("Exit", {{"T", kFloat}}, {split}));
    }
    body.pivot = Add("Identity", {{"T", kFloat}}, {body.values.back()}).node;
    Fill(body, depth, 4);
    for (Node* merge : merges) {
      // Only values that depend on this iteration may go into the next.
      const Value carried = Add("Add", {{"T", kFloat}}, {Any(body), {body.pivot, 0}});
      graph_->AddEdge(Add("NextIteration", {{"T", kFloat}}, {carried}).node, 0, merge, 1);
    }
  }

  std::mt19937 random_;
  const std::vector<std::string>& devices_;
  std::unique_ptr<Graph> graph_;
};

TEST(LoopPartitionTest, ComputesTheSameForRandomGraphs) {
  const std::vector<std::string> devices = {FullDevice("ps:0"), FullDevice("w:0"),
                                            FullDevice("w:0:1"), FullDevice("w:1")};
  for (uint32_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    ExpectSameRun(RandomGraph(seed, devices).Make(), static_cast<int>(seed % 4));
    if (testing::Test::HasFailure()) break;
  }
}

// ---- TensorFlow's programs, their variables on a parameter server and everything else anywhere.

class TensorFlowPartitionTest : public testing::TestWithParam<const char*> {};

TEST_P(TensorFlowPartitionTest, ComputesTheSame) {
  const auto& programs = TensorFlowPrograms(GetParam());
  if (programs.empty()) GTEST_SKIP() << GetParam() << " names no interpreter";
  const std::vector<std::string> names = {"ps:0", "w:0", "w:0:1", "w:1"};
  std::mt19937 random(7);
  for (const auto& [name, def] : programs) {
    for (int round = 0; round < 4; ++round) {
      SCOPED_TRACE(absl::StrCat(name, " ", round));
      auto graph = std::make_unique<Graph>(&AllOps());
      ASSERT_TRUE(Import(def, {}, *graph).ok());
      Signature signature;
      for (Node* node : graph->nodes()) {
        const bool variable = node->op() == "VariableV2" || node->op() == "VarHandleOp" ||
                              node->flow() == Flow::kEnter;
        node->requested_device =
            FullDevice(names[variable || round == 0 ? 0 : random() % names.size()]);
        if (node->out_edges().empty()) signature.targets.push_back(node->name());
        if (node->op() == "Placeholder") signature.feeds.push_back(node->name());
      }
      const absl::Status placed =
          Place(*graph, Devices(names, nullptr), {.allow_soft_placement = true});
      ASSERT_TRUE(placed.ok()) << placed;
      const absl::Status applied = ApplySignature(signature, FullDevice("w:0"), *graph);
      ASSERT_TRUE(applied.ok()) << applied;
      ExpectSameRun(std::move(graph), 3);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Clients, TensorFlowPartitionTest,
                         testing::Values("SLUICE_TF1_PYTHON", "SLUICE_TF2_PYTHON"),
                         [](const auto& info) { return std::string(info.param).substr(7, 3); });

}  // namespace
}  // namespace sluice::graph
