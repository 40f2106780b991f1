// SPDX-License-Identifier: Apache-2.0
#include "graph/passes/nccl_members.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/device_name.h"
#include "core/runtime/kernel_table.h"
#include "graph/ops/nccl_ops.h"
#include "graph/passes/move_readers.h"

namespace sluice::graph {
namespace {

// The device of a GPU, and its task. INVALID_ARGUMENT for any other device.
absl::StatusOr<std::string> TaskOfGpu(const std::string& device) {
  SLUICE_ASSIGN(const DeviceName name, DeviceName::Parse(device));
  if (name.type != kGpu) return InvalidArgument(device, " is not a GPU");
  return name.task_name();
}

bool AreGpusOfOneTask(const std::string& a, const std::string& b) {
  const auto task_a = TaskOfGpu(a), task_b = TaskOfGpu(b);
  return task_a.ok() && task_b.ok() && *task_a == *task_b;
}

class Members {
 public:
  Members(Graph& graph, const Node& node) : graph_(graph), model_(node) {}

  // A member of the node's operation, with the node's private attributes.
  absl::StatusOr<Node*> Add(std::string name, const std::string& op, const std::string& device,
                            int members) {
    AttrMap attrs = {{"T", model_.attrs.at("T")},
                     {"num_devices", static_cast<int64_t>(members)},
                     {"shared_name", model_.name()}};
    if (const auto reduction = model_.attrs.find("reduction"); reduction != model_.attrs.end())
      attrs["reduction"] = reduction->second;
    for (const auto& [key, value] : model_.attrs) {
      if (key[0] == '_') attrs[key] = value;
    }
    SLUICE_ASSIGN(Node * added, graph_.AddNode(std::move(name), op, std::move(attrs)));
    added->device = device;
    return added;
  }
  std::string Unique(absl::string_view suffix) {
    return graph_.UniqueName(absl::StrCat(model_.name(), "/", suffix));
  }

 private:
  Graph& graph_;
  const Node& model_;
};

// The input that is on the node's own GPU. The inputs must be on different GPUs of its task.
absl::StatusOr<int> OwnInput(const Node& node) {
  std::map<std::string, int> inputs;  // by device
  for (int i = 0; i < node.num_inputs(); ++i) {
    const std::string& device = node.input(i)->src->device;
    if (!AreGpusOfOneTask(device, node.device)) {
      return InvalidArgument(node.Label(), ": input ", i, " is on ", device,
                             ", which is not a GPU of the task of ", node.device);
    }
    if (!inputs.emplace(device, i).second)
      return InvalidArgument(node.Label(), ": two inputs are on ", device);
  }
  if (const auto own = inputs.find(node.device); own != inputs.end()) return own->second;
  return InvalidArgument(
      node.Label(), ": No input tensor uses the same device as the NcclReduce op, which is on ",
      node.device);
}

absl::Status SplitReduce(Node* node, Graph& graph) {
  SLUICE_ASSIGN(const int own, OwnInput(*node));
  Members members(graph, *node);
  const int count = node->num_inputs();
  const std::string name = node->name();
  SLUICE_ASSIGN(Node* const recv,
                members.Add(members.Unique("recv"), "_NcclReduceRecv", node->device, count));
  for (Edge* edge : std::vector<Edge*>(node->in_edges())) {
    const Edge old = *edge;
    if (old.control()) continue;
    Node* member = recv;
    if (old.dst_input != own) {
      SLUICE_ASSIGN(member,
                    members.Add(members.Unique("send"), "_NcclReduceSend", old.src->device, count));
    }
    graph.AddEdge(old.src, old.src_output, member, 0);
    for (const Edge* other : node->in_edges()) {
      if (other->control()) graph.AddControlEdge(other->src, member);
    }
  }
  MoveReaders(graph, *node, *recv);
  graph.RemoveNode(node);
  return absl::OkStatus();
}

// A Recv is made only where the Send is made: in the same iteration, and not in a dead branch.
absl::StatusOr<Node*> AddBroadcastRecv(Node& node, const Shape& shape, const std::string& device,
                                       int count, Members& members, Graph& graph) {
  std::vector<int32_t> dims(shape.dims().begin(), shape.dims().end());
  SLUICE_ASSIGN(Node* const dims_node,
                graph.AddNode(members.Unique("shape"), "Const",
                              {{"dtype", kInt32}, {"value", Tensor::Vector<int32_t>(dims)}}));
  dims_node->device = device;
  graph.AddControlEdge(&node, dims_node);
  SLUICE_ASSIGN(Node* const recv,
                members.Add(members.Unique("recv"), "_NcclBroadcastRecv", device, count));
  graph.AddEdge(dims_node, 0, recv, 0);
  graph.AddControlEdge(&node, recv);
  return recv;
}

absl::Status SplitBroadcast(Node* node, Graph& graph) {
  std::map<std::string, std::vector<Edge*>> readers;  // by GPU
  for (Edge* edge : node->out_edges()) {
    if (!edge->control() && edge->dst->device != node->device &&
        AreGpusOfOneTask(edge->dst->device, node->device))
      readers[edge->dst->device].push_back(edge);
  }
  SLUICE_ASSIGN(const PartialShape partial, GetAttr<PartialShape>(node->attrs, "shape"));
  const auto shape = partial.ToShape();
  if (readers.empty() || !shape.ok()) return absl::OkStatus();
  const auto count = static_cast<int>(readers.size()) + 1;
  Members members(graph, *node);
  SLUICE_ASSIGN(Node* const send,
                members.Add(members.Unique("send"), "_NcclBroadcastSend", node->device, count));
  graph.AddEdge(node, 0, send, 0);
  for (const auto& [device, edges] : readers) {
    SLUICE_ASSIGN(Node* const recv, AddBroadcastRecv(*node, *shape, device, count, members, graph));
    for (Edge* edge : edges) {
      const Edge old = *edge;
      graph.RemoveEdge(edge);
      graph.AddEdge(recv, 0, old.dst, old.dst_input);
    }
  }
  return absl::OkStatus();
}

// The members of one NcclAllReduce in the graph.
struct AllReduceMembers {
  const Node* first = nullptr;
  int64_t count = 0;
};

absl::Status CheckAllReduce(const Node& node, AllReduceMembers& members) {
  ++members.count;
  if (members.first == nullptr) members.first = &node;
  if (AreGpusOfOneTask(node.device, members.first->device)) return absl::OkStatus();
  return InvalidArgument(node.Label(), " is on ", node.device, ", another member of it on ",
                         members.first->device, ": NcclAllReduce works between GPUs of one task");
}

}  // namespace

absl::Status SplitNcclOps(Graph& graph) {
  std::map<std::string, AllReduceMembers> all_reduces;  // by shared_name
  for (Node* node : graph.nodes()) {
    const NcclOp op = FindNcclOp(node->op());
    if (op == NcclOp::kReduce) {
      SLUICE_RETURN_IF_ERROR(SplitReduce(node, graph));
    } else if (op == NcclOp::kBroadcast) {
      SLUICE_RETURN_IF_ERROR(SplitBroadcast(node, graph));
    } else if (op == NcclOp::kAllReduce) {
      SLUICE_ASSIGN(const std::string name, GetAttr<std::string>(node->attrs, "shared_name"));
      SLUICE_RETURN_IF_ERROR(CheckAllReduce(*node, all_reduces[name]));
    }
  }
  for (const auto& [name, members] : all_reduces) {
    SLUICE_ASSIGN(const int64_t wanted, GetAttr<int64_t>(members.first->attrs, "num_devices"));
    if (members.count >= wanted) continue;
    return InvalidArgument(members.first->Label(), " waits for ", wanted, " members, but only ",
                           members.count, " with shared_name \"", name,
                           "\" are in this step: run them all in one step");
  }
  return absl::OkStatus();
}

}  // namespace sluice::graph
