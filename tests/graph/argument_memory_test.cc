// SPDX-License-Identifier: Apache-2.0
#include "graph/argument_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_split.h"
#include "core/runtime/kernel_table.h"
#include "tests/graph/graph_text.h"

namespace sluice::graph {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr char kGpu0[] = "/job:w/replica:0/task:0/device:GPU:0";

const KernelTable& Kernels() {
  static const KernelTable& table = *[] {
    auto* kernels = new KernelTable;
    const auto add = [kernels](const char* op, const char* device, HostMemory host) {
      KernelSignature kernel;
      kernel.op = op;
      kernel.device_type = device;
      kernel.host = std::move(host);
      kernels->Add(std::move(kernel));
    };
    for (const char* op : {"Neg", "Reshape", "Shape", "Const"}) add(op, "CPU", {});
    add("Neg", "GPU", {});
    add("Reshape", "GPU", {"shape"});
    add("Shape", "GPU", {"output"});
    return kernels;
  }();
  return table;
}

// The ops of the nodes that the cuts of a graph add, in order of their names.
std::vector<std::string> Transfers(absl::string_view text) {
  std::unique_ptr<Graph> graph = FromText(text);
  const std::vector<PlaceableDevice> devices = Devices({"w:0", kGpu0}, &Kernels());
  auto options = FindArgumentMemory(*graph, devices);
  EXPECT_TRUE(options.ok()) << options.status();
  auto parts = Partition(std::move(graph), *options);
  EXPECT_TRUE(parts.ok()) << parts.status();
  std::vector<std::string> ops;
  for (const TaskPartition& part : *parts) {
    for (const Node* node : part.graph->nodes()) {
      if (node->kind() == OpKind::kSend || node->kind() == OpKind::kRecv) ops.push_back(node->op());
    }
  }
  std::sort(ops.begin(), ops.end());
  return ops;
}

std::string OnGpu(absl::string_view text) {
  std::string placed;
  for (absl::string_view statement : absl::StrSplit(text, ';'))
    absl::StrAppend(&placed, statement, " @@", kGpu0, " ;");
  return placed;
}

TEST(ArgumentMemoryTest, AHostOutputGoesToAHostInputWithoutACopy) {
  EXPECT_THAT(Transfers(OnGpu("x = Const([1.0]); s = Shape[out_type=int64](x) ; i = Identity(s) ;"
                              "r = Reshape(x, i)")),
              IsEmpty());
}

TEST(ArgumentMemoryTest, AConstantIsNeverCopiedToTheOtherMemory) {
  EXPECT_THAT(Transfers(OnGpu("x = Const([1]); n = Neg(x) ; r = Reshape(n, x)")), IsEmpty());
}

TEST(ArgumentMemoryTest, AChangeOfMemoryIsACopyOnTheDevice) {
  EXPECT_THAT(Transfers(OnGpu("x = Const([1]); n = Neg(x) ; r = Reshape(x, n)")),
              ElementsAre("_HostRecv", "_Send"));
  EXPECT_THAT(Transfers(OnGpu("x = Const([1.0]); s = Shape[out_type=int64](x) ; n = Neg(s)")),
              ElementsAre("_HostSend", "_Recv"));
}

TEST(ArgumentMemoryTest, AControlEdgeBetweenDevicesCarriesHostMemory) {
  EXPECT_THAT(Transfers(OnGpu("x = Const([1.0]); n = Neg(x)") + "m = Const(1.0, ^n) @@w:0"),
              ElementsAre("_HostRecv", "_HostSend"));
}

TEST(ArgumentMemoryTest, DevicesOfHostMemoryNeedNoRules) {
  std::unique_ptr<Graph> graph = FromText("x = Const([1.0]) @@w:0 ; n = Neg(x) @@w:0");
  auto options = FindArgumentMemory(*graph, Devices({"w:0"}, &Kernels()));
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->host_input, nullptr);
  EXPECT_EQ(options->host_output, nullptr);
}

}  // namespace
}  // namespace sluice::graph
