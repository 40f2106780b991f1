// SPDX-License-Identifier: Apache-2.0
#include "graph/passes/nccl_collectives.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "core/device_name.h"
#include "core/runtime/kernel_table.h"
#include "graph/ops/nccl_ops.h"
#include "graph/passes/move_readers.h"

namespace sluice::graph {
namespace {

// The members of one operation.
using Nodes = std::vector<Node*>;

int64_t IntOf(const Node& node, absl::string_view name) {
  return GetAttrOr<int64_t>(node.attrs, name, 0);
}
std::string TextOf(const Node& node, absl::string_view name) {
  return GetAttrOr(node.attrs, name, std::string());
}
DType TypeOf(const Node& node) { return GetAttrOr(node.attrs, "T", kInvalid); }

bool AreAllOnGpusOfOneTask(const Nodes& members) {
  std::set<std::string> devices, tasks;
  for (const Node* member : members) {
    const auto name = DeviceName::Parse(member->device);
    if (!name.ok() || name->type != kGpu) return false;
    devices.insert(member->device);
    tasks.insert(name->task_name());
  }
  return devices.size() == members.size() && tasks.size() == 1;
}

// As the op of NCCL names it. Empty if it has none.
std::string ReductionOf(const Node& node) {
  return std::string(FindNcclReduction(TextOf(node, "merge_op")));
}

bool Divides(const Node& node) { return TextOf(node, "final_op") != "Id"; }

class Replacement {
 public:
  Replacement(Graph& graph, const Nodes& members)
      : graph_(graph), members_(members), dtype_(TypeOf(*members.front())) {
    const Node& first = *members.front();
    shared_name_ = absl::StrCat("group ", IntOf(first, "group_key"), ", instance ",
                                IntOf(first, "instance_key"));
  }

  absl::Status Reduce() {
    for (Node* member : members_) {
      SLUICE_ASSIGN(Node * result, Add(*member, "nccl", "NcclAllReduce",
                                       Attrs({{"reduction", ReductionOf(*member)}})));
      const Edge input = *member->input(0);
      graph_.AddEdge(input.src, input.src_output, result, 0);
      KeepOrder(*member, *result);
      if (Divides(*member)) {
        SLUICE_ASSIGN(result, Divided(*member, *result));
      }
      Replace(*member, *result);
    }
    return absl::OkStatus();
  }

  absl::Status Broadcast() {
    for (Node* member : members_) {
      const bool sends = member->num_inputs() > 0;
      SLUICE_ASSIGN(Node* const result, sends ? Send(*member) : Receive(*member));
      Replace(*member, *result);
    }
    return absl::OkStatus();
  }

 private:
  AttrMap Attrs(AttrMap attrs) const {
    attrs["T"] = dtype_;
    attrs["num_devices"] = static_cast<int64_t>(members_.size());
    attrs["shared_name"] = shared_name_;
    return attrs;
  }
  absl::StatusOr<Node*> Add(const Node& member, absl::string_view suffix, const std::string& op,
                            AttrMap attrs) {
    const std::string name = graph_.UniqueName(absl::StrCat(member.name(), "/", suffix));
    SLUICE_ASSIGN(Node * added, graph_.AddNode(name, op, std::move(attrs)));
    added->device = member.device;
    return added;
  }
  absl::StatusOr<Node*> Const(const Node& member, absl::string_view suffix, Tensor value) {
    const DType dtype = value.dtype();
    return Add(member, suffix, "Const", {{"dtype", dtype}, {"value", std::move(value)}});
  }
  // What the member waits for, `node` waits for.
  void KeepOrder(const Node& member, Node& node) {
    for (const Edge* edge : member.in_edges()) {
      if (edge->control()) graph_.AddControlEdge(edge->src, &node);
    }
  }

  absl::StatusOr<Node*> Divided(const Node& member, Node& sum) {
    Tensor count(dtype_, Shape{});
    SLUICE_RETURN_IF_ERROR(VisitDType(NumericTypes{}, dtype_, [&]<typename T>(Type<T>) {
      count.mutable_flat<T>()[0] = static_cast<T>(static_cast<float>(members_.size()));
      return absl::OkStatus();
    }));
    SLUICE_ASSIGN(Node* const divisor, Const(member, "members", std::move(count)));
    graph_.AddControlEdge(&sum, divisor);  // in the same iteration
    SLUICE_ASSIGN(Node* const quotient, Add(member, "mean", "RealDiv", {{"T", dtype_}}));
    graph_.AddEdge(&sum, 0, quotient, 0);
    graph_.AddEdge(divisor, 0, quotient, 1);
    return quotient;
  }

  // The member's result is its input.
  absl::StatusOr<Node*> Send(const Node& member) {
    SLUICE_ASSIGN(Node* const value, Add(member, "value", "Identity", {{"T", dtype_}}));
    const Edge input = *member.input(0);
    graph_.AddEdge(input.src, input.src_output, value, 0);
    KeepOrder(member, *value);
    SLUICE_ASSIGN(Node* const send, Add(member, "nccl", "_NcclBroadcastSend", Attrs({})));
    graph_.AddEdge(value, 0, send, 0);
    return value;
  }

  absl::StatusOr<Node*> Receive(const Node& member) {
    SLUICE_ASSIGN(const PartialShape partial, GetAttr<PartialShape>(member.attrs, "shape"));
    SLUICE_ASSIGN(const Shape shape, partial.ToShape());
    const std::vector<int32_t> dims(shape.dims().begin(), shape.dims().end());
    SLUICE_ASSIGN(Node* const sizes, Const(member, "shape", Tensor::Vector<int32_t>(dims)));
    KeepOrder(member, *sizes);
    SLUICE_ASSIGN(Node* const received, Add(member, "nccl", "_NcclBroadcastRecv", Attrs({})));
    graph_.AddEdge(sizes, 0, received, 0);
    return received;
  }

  void Replace(Node& member, Node& result) {
    MoveReaders(graph_, member, result);
    graph_.RemoveNode(&member);
  }

  Graph& graph_;
  const Nodes& members_;  // those that are replaced no longer exist
  const DType dtype_;
  std::string shared_name_;
};

// Operations that disagree stay: the groups report that.
bool CanReduce(const Nodes& members) {
  const Node& first = *members.front();
  const DType dtype = TypeOf(first);
  const bool is_float = dtype == kFloat || dtype == kDouble || dtype == kHalf;
  if (!is_float && (Divides(first) || (dtype != kInt32 && dtype != kInt64))) return false;
  return !ReductionOf(first).empty() && absl::c_all_of(members, [&](const Node* member) {
    return FindNcclOp(member->op()) == NcclOp::kGroupReduce && TypeOf(*member) == dtype &&
           TextOf(*member, "merge_op") == TextOf(first, "merge_op") &&
           TextOf(*member, "final_op") == TextOf(first, "final_op") &&
           GetAttrOr(member->attrs, "wait_for", std::vector<int64_t>()).empty();
  });
}

// Also between tasks. A mean is NCCL's, which has one for floating dtypes.
bool CanReduceBetweenTasks(const Node& node) {
  const auto device = DeviceName::Parse(node.device);
  if (FindNcclOp(node.op()) != NcclOp::kGroupReduce || !device.ok() || device->type != kGpu)
    return false;
  const DType dtype = TypeOf(node);
  const bool is_integer = dtype == kInt32 || dtype == kInt64;
  return !Divides(node) || (!is_integer && ReductionOf(node) == "sum");
}

absl::Status ReduceBetweenTasks(Graph& graph, Node& member) {
  const std::string name = graph.UniqueName(absl::StrCat(member.name(), "/nccl"));
  SLUICE_ASSIGN(Node * result, graph.AddNode(name, "_NcclGroupReduce", member.attrs));
  result->device = member.device;
  for (const Edge* edge : member.in_edges()) {
    if (edge->control())
      graph.AddControlEdge(edge->src, result);
    else
      graph.AddEdge(edge->src, edge->src_output, result, edge->dst_input);
  }
  MoveReaders(graph, member, *result);
  graph.RemoveNode(&member);
  return absl::OkStatus();
}

bool CanBroadcast(const Nodes& members) {
  const Node& first = *members.front();
  const auto shape_of = [](const Node& node) {
    return GetAttrOr(node.attrs, "shape", PartialShape());
  };
  const auto is_send = [](const Node* member) {
    return FindNcclOp(member->op()) == NcclOp::kGroupBroadcastSend;
  };
  return TypeOf(first) != kBool && shape_of(first).ToShape().ok() &&
         absl::c_count_if(members, is_send) == 1 &&
         absl::c_all_of(members, [&](const Node* member) {
           const bool receives = FindNcclOp(member->op()) == NcclOp::kGroupBroadcastRecv;
           return (is_send(member) || receives) && TypeOf(*member) == TypeOf(first) &&
                  shape_of(*member) == shape_of(first);
         });
}

}  // namespace

absl::Status UseNcclForCollectives(Graph& graph) {
  std::map<std::pair<int64_t, int64_t>, Nodes> operations;
  for (Node* node : graph.nodes()) {
    const NcclOp op = FindNcclOp(node->op());
    if (op == NcclOp::kGroupReduce || op == NcclOp::kGroupBroadcastSend ||
        op == NcclOp::kGroupBroadcastRecv)
      operations[{IntOf(*node, "group_key"), IntOf(*node, "instance_key")}].push_back(node);
  }
  for (const auto& [keys, members] : operations) {
    const auto count = static_cast<int64_t>(members.size());
    const bool complete = absl::c_all_of(
        members, [&](const Node* member) { return IntOf(*member, "group_size") == count; });
    const bool in_one_task = complete && AreAllOnGpusOfOneTask(members);
    if (in_one_task && CanReduce(members)) {
      SLUICE_RETURN_IF_ERROR(Replacement(graph, members).Reduce());
    } else if (in_one_task && CanBroadcast(members)) {
      SLUICE_RETURN_IF_ERROR(Replacement(graph, members).Broadcast());
    } else if (!in_one_task) {
      for (Node* member : members) {
        if (CanReduceBetweenTasks(*member))
          SLUICE_RETURN_IF_ERROR(ReduceBetweenTasks(graph, *member));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace sluice::graph
