// SPDX-License-Identifier: Apache-2.0
#include "graph/place.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/graph/graph_text.h"

namespace sluice::graph {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// Kernels on CPU for all ops of these graphs, on GPU for Neg, Add and Const of floats, and for
// variables.
const KernelTable& Kernels() {
  static const auto& table = *[] {
    auto* t = new KernelTable;
    for (const char* op :
         {"Const", "Placeholder", "Neg", "Add", "Shape", "VariableV2", "Assign", "Identity", "NoOp",
          "VarHandleOp", "ReadVariableOp", "AssignVariableOp", "IdentityN", "Decoy"}) {
      t->Add({.op = op, .device_type = "CPU", .types = {}, .host = {}, .label = ""});
    }
    for (const char* op : {"Neg", "Add", "Shape", "Identity"}) {
      t->Add({.op = op, .device_type = "GPU", .types = {{"T", kFloat}}, .host = {}, .label = ""});
    }
    t->Add({.op = "Const",
            .device_type = "GPU",
            .types = {{"dtype", kFloat}},
            .host = {},
            .label = ""});
    t->Add({.op = "VariableV2",
            .device_type = "GPU",
            .types = {{"dtype", kFloat}},
            .host = {},
            .label = ""});
    for (const char* type : {"CPU", "GPU"}) {
      t->Add({.op = "CollectiveReduce",
              .device_type = type,
              .types = {},
              .host = {"input", "data"},
              .label = ""});
    }
    t->Add(
        {.op = "Assign", .device_type = "GPU", .types = {{"T", kFloat}}, .host = {}, .label = ""});
    return t;
  }();
  return table;
}

const char kGpu0[] = "/job:w/replica:0/task:0/device:GPU:0";

std::vector<PlaceableDevice> Cluster() {
  return Devices({"w:0", "w:1", "ps:0", "ps:1", kGpu0, "/job:w/replica:0/task:0/device:GPU:1"},
                 &Kernels());
}

std::vector<PlaceableDevice> Cpus() { return Devices({"w:0", "w:1", "ps:0", "ps:1"}, &Kernels()); }

std::unique_ptr<Graph> Placed(const char* text, const std::vector<PlaceableDevice>& devices,
                              bool soft = false) {
  auto graph = FromText(text);
  absl::Status status = Place(*graph, devices, {.allow_soft_placement = soft});
  EXPECT_TRUE(status.ok()) << status;
  return graph;
}

absl::Status Refusal(const char* text, const std::vector<PlaceableDevice>& devices,
                     const PlaceOptions& options = {}) {
  return Place(*FromText(text), devices, options);
}

#define EXPECT_ON(graph, node, where) \
  EXPECT_EQ((graph)->Find(node)->device, FullDevice(where)) << node

TEST(PlaceTest, TakesTheFirstDeviceOfTheBestTypeByDefault) {
  EXPECT_ON(Placed("a = NoOp", Cluster()), "a", "ps:0");
  EXPECT_ON(Placed("a = Placeholder[dtype=float] ; b = Neg(a)", Cluster()), "b", kGpu0);
  EXPECT_ON(Placed("a = Placeholder[dtype=double] ; b = Neg(a)", Cluster()), "b",
            "ps:0");  // no GPU kernel for double
}

TEST(PlaceTest, ObeysPartialRequests) {
  auto graph = Placed(R"(
      a = NoOp @/job:w ; b = NoOp @/task:1 ; c = NoOp @/job:ps/task:1 ; d = NoOp @/device:CPU:0
      e = Neg(x) @/gpu:1 ; x = Placeholder[dtype=float] @/cpu:0)",
                      Cluster());
  EXPECT_ON(graph, "a", "w:0");
  EXPECT_ON(graph, "b", "ps:1");
  EXPECT_ON(graph, "c", "ps:1");
  EXPECT_ON(graph, "d", "ps:0");
  EXPECT_ON(graph, "e", "/job:w/replica:0/task:0/device:GPU:1");
}

TEST(PlaceTest, RefusesUnknownDevicesAndListsTheKnown) {
  const absl::Status status = Refusal("n = NoOp @/job:gone/task:3", Cpus());
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(
      status.message(),
      HasSubstr(
          "Cannot assign a device for operation n: {{node n}} was explicitly assigned to "
          "/job:gone/task:3 but available devices are [ /job:ps/replica:0/task:0/device:CPU:0, "));
  EXPECT_THAT(Refusal("n = NoOp @/device:GPU:0", Cpus()).message(),
              AllOf(HasSubstr("available devices"), HasSubstr("but no task has one.")));
  EXPECT_THAT(
      Refusal("n = NoOp @/device:GPU:0", Cpus(), {.no_gpu = "w:0: the driver is old"}).message(),
      HasSubstr("but no task has one: w:0: the driver is old."));
  EXPECT_THAT(Refusal("n = NoOp @/job:w/device:GPU:0", Cluster()).message(),
              HasSubstr("kernel for GPU devices"));
  EXPECT_THAT(Refusal("n = NoOp @/what:ever", Cpus()).message(), HasSubstr("\"n\""));
}

TEST(PlaceTest, SoftPlacementDropsTypeAndId) {
  EXPECT_ON(Placed("n = NoOp @/job:w/task:1/device:GPU:3", Cpus(), true), "n", "w:1");
  EXPECT_ON(Placed("n = NoOp @/job:w/device:GPU:0", Cluster(), true), "n", "w:0");
  EXPECT_ON(Placed("n = NoOp @/device:CPU:7", Cpus(), true), "n", "ps:0");
  EXPECT_FALSE(Refusal("n = NoOp @/job:gone", Cpus(), {.allow_soft_placement = true}).ok());
}

TEST(PlaceTest, KeepsWritersWithTheirVariable) {
  auto graph = Placed(R"(
      v = VariableV2[shape=[], dtype=float] @/job:ps/task:1
      x = Const(1.) @/job:w
      set = Assign(v, x)
      read = Identity(v) @/job:w)",
                      Cpus());
  EXPECT_ON(graph, "set", "ps:1");
  EXPECT_ON(graph, "read", "w:0");  // it reads a value
}

TEST(PlaceTest, AWriterWithAnotherRequestFollowsItsVariable) {
  auto graph = Placed(R"(
      v = VariableV2[shape=[], dtype=float] @/job:ps/task:1
      x = Const(1.)
      set = Assign(v, x) @/job:w/task:1)",
                      Cpus());
  EXPECT_ON(graph, "set", "ps:1");
}

TEST(PlaceTest, AGroupFollowsTheVariableOfAnyOfItsNodes) {
  auto graph = Placed(R"(
      h = VarHandleOp[shape=[], dtype=float]
      first = Identity(h) @/job:w/task:1
      second = Identity(h) @/job:ps/task:1
      third = Identity(second) @/job:w/task:0)",
                      Cpus());
  for (const char* node : {"h", "first", "second", "third"}) EXPECT_ON(graph, node, "w:1");
}

TEST(PlaceTest, TheOldestNodeDecidesTheDeviceOfAGroup) {
  auto graph = Placed(R"(
      h = VarHandleOp[shape=[], dtype=float]
      far = Placeholder[dtype=float] ; a = Neg(far) ; b = Neg(a)
      set = AssignVariableOp(h, b) @/job:ps/task:1
      read = ReadVariableOp[dtype=float](h) @/job:w/task:0)",
                      Cpus());
  for (const char* node : {"h", "set", "read"}) EXPECT_ON(graph, node, "ps:1");
}

TEST(PlaceTest, VariablesInDifferentPlacesHaveNoCommonUser) {
  EXPECT_THAT(Refusal(R"(
      a = VarHandleOp[shape=[], dtype=float] @/job:ps/task:0
      b = VarHandleOp[shape=[], dtype=float] @/job:ps/task:1
      x = Const(1.)
      use = ResourceApplyMomentum(a, b, x, x, x))",
                      Cpus())
                  .message(),
              HasSubstr("incompatible resource devices"));
}

TEST(PlaceTest, KeepsUsersOfAResourceWithIt) {
  auto graph = Placed(R"(
      h = VarHandleOp[shape=[], dtype=float]
      through = Identity(h)
      read = ReadVariableOp[dtype=float](through) @/job:ps/task:1
      list = IdentityN(h) @/job:w/task:1)",
                      Cpus());
  EXPECT_ON(graph, "h", "ps:1");
  EXPECT_ON(graph, "through", "ps:1");
  EXPECT_ON(graph, "list", "w:1");  // exempt
}

TEST(PlaceTest, ColocatesByClass) {
  auto graph = Placed(R"(
      a = NoOp @/job:w/task:1
      b = NoOp[_class=["loc:@a"]]
      c = NoOp[_class=["loc:@b", "unrelated"]]
      d = NoOp[_class=["loc:@nobody"]] @/job:ps/task:1
      e = NoOp[_class=["loc:@nobody"]])",
                      Cpus());
  EXPECT_ON(graph, "b", "w:1");
  EXPECT_ON(graph, "c", "w:1");
  EXPECT_ON(graph, "e", "ps:1");
}

TEST(PlaceTest, PassingOnResourcesDoesNotColocate) {
  auto graph = Placed(R"(
      a = VarHandleOp[shape=[], dtype=float] @/job:ps/task:0
      b = VarHandleOp[shape=[], dtype=float] @/job:ps/task:1
      both = IdentityN(a, b)
      of_a = Identity[_class=["loc:@both"]](a)
      of_b = Identity[_class=["loc:@both"]](b))",
                      Cpus());
  EXPECT_ON(graph, "of_a", "ps:0");
  EXPECT_ON(graph, "of_b", "ps:1");
}

TEST(PlaceTest, ConflictsInAGroupAreErrorsUnlessPlacementIsSoft) {
  const char tasks[] = "a = NoOp @/job:w ; b = NoOp[_class=[\"loc:@a\"]] @/job:ps";
  EXPECT_THAT(Refusal(tasks, Cpus()).message(), HasSubstr("Cannot colocate nodes"));
  const char gone[] = "a = NoOp @/cpu:0 ; b = NoOp[_class=[\"loc:@a\"]] @/job:w/task:9";
  EXPECT_THAT(Refusal(gone, Cpus()).message(),
              HasSubstr("Could not satisfy explicit device specification '/cpu:0' because the node "
                        "{{colocation_node a}} was colocated with a group of nodes that required "
                        "incompatible device '/job:w/task:9/device:CPU:0'. All available "));
  auto graph = Placed(tasks, Cpus(), true);  // the conflicting request is ignored
  EXPECT_ON(graph, "a", "w:0");
  EXPECT_ON(graph, "b", "ps:0");

  const char types[] = R"(x = Placeholder[dtype=float] @/job:w/device:CPU:0
      a = Neg(x) @/job:w/device:GPU:0 ; b = Neg[_class=["loc:@a"]](x) @/job:w/device:CPU:0)";
  EXPECT_FALSE(Refusal(types, Cluster()).ok());
  graph = Placed(types, Cluster(), true);  // type and id are ignored
  EXPECT_EQ(graph->Find("a")->device, graph->Find("b")->device);
}

TEST(PlaceTest, AGroupIsWhereAllItsMembersHaveKernels) {
  auto graph = Placed("x = Placeholder[dtype=float] ; a = Neg(x) ; b = NoOp[_class=[\"loc:@a\"]]",
                      Cluster());
  EXPECT_ON(graph, "a", "ps:0");  // NoOp has no GPU kernel here
}

TEST(PlaceTest, GeneratorsGoToTheirOnlyConsumersDevice) {
  auto graph = Placed(R"(
      a = Const(1.) ; b = Neg(a) @/job:w/task:1/device:CPU:0 ; c = Identity(a) @/job:w/task:1/device:CPU:0
      d = Const(1.) ; e = Neg(d) @/job:w/task:1/device:CPU:0 ; f = Neg(d) @/job:w/task:0/device:CPU:0
      g = Const(1.) @/job:ps ; h = Neg(g) @/job:w/task:1/device:CPU:0)",
                      Cluster());
  EXPECT_ON(graph, "a", "w:1");
  EXPECT_ON(graph, "d", kGpu0);
  EXPECT_ON(graph, "g", "ps:0");
}

TEST(PlaceTest, MetadataOpsStayWithTheirInput) {
  auto graph =
      Placed("x = Placeholder[dtype=float] ; a = Neg(x) @/job:w/task:1 ; s = Shape(a)", Cpus());
  EXPECT_ON(graph, "s", "w:1");
}

TEST(PlaceTest, OpsWithoutKernelsGoToTheirRequestOrToACpu) {
  auto graph = Placed(R"(
      a = Marvel ; b = Marvel @/job:w/task:1 ; c = Marvel @/device:GPU:1
      d = MatMul(x, x) ; x = Placeholder[dtype=float]
      e = Neg(s) ; s = Placeholder[dtype=half])",
                      Cluster());
  EXPECT_ON(graph, "a", "ps:0");
  EXPECT_ON(graph, "b", "w:1");
  EXPECT_ON(graph, "c", "/job:w/replica:0/task:0/device:GPU:1");
  EXPECT_ON(graph, "d", "ps:0");
  EXPECT_TRUE(Refusal("a = Marvel", {}).message().size() > 0);
}

TEST(PlaceTest, AnOpWithEffectsThatWorksOnTheHostIsOnAGpuOnlyIfRequested) {
  const std::string op =
      "CollectiveReduce[group_size=2, group_key=1, instance_key=1, merge_op=\"Add\", "
      "final_op=\"Id\", subdiv_offsets=[0]](y)";
  auto graph = Placed(
      ("x = Const(1.) ; y = Neg(x) ; a = " + op + " ; b = " + op + " @/device:GPU:1").c_str(),
      Cluster());
  EXPECT_ON(graph, "y", kGpu0);
  EXPECT_ON(graph, "a", "ps:0");
  EXPECT_ON(graph, "b", "/job:w/replica:0/task:0/device:GPU:1");
}

TEST(PlaceTest, PlacedNodesStayAndTheirGroupFollows) {
  auto graph = FromText(R"(
      v = VariableV2[shape=[], dtype=float] @@w:1
      x = Const(1.) @@ps:0
      set = Assign(v, x) @/job:ps
      with = NoOp[_class=["loc:@v"]])");
  ASSERT_TRUE(Place(*graph, Cpus(), {}).ok());
  EXPECT_ON(graph, "v", "w:1");
  EXPECT_ON(graph, "set", "w:1");
  EXPECT_ON(graph, "with", "w:1");
}

TEST(PlaceTest, UsesOnlyDevicesThatHaveTheKernel) {
  KernelTable little;
  little.Add({.op = "NoOp", .device_type = "CPU", .types = {}, .host = {}, .label = ""});
  auto devices = Devices({"a:0"}, &little);
  devices.push_back(Devices({"b:0"}, &Kernels())[0]);
  auto graph = FromText("x = Placeholder[dtype=float] ; n = Neg(x) ; o = NoOp");
  ASSERT_TRUE(Place(*graph, devices, {}).ok());
  EXPECT_ON(graph, "n", "b:0");
  EXPECT_ON(graph, "o", "a:0");
}

}  // namespace
}  // namespace sluice::graph
