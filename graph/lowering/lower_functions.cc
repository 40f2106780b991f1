// SPDX-License-Identifier: Apache-2.0
#include "graph/lowering/lower_functions.h"

#include "absl/strings/str_cat.h"
#include "core/device_name.h"
#include "core/status.h"
#include "graph/infer_attrs.h"
#include "graph/lowered_output.h"
#include "graph/lowering/lowering.h"

namespace sluice::graph {
namespace {

// The call is wrong, not the graph: the node stays, and its kernel reports the error.
bool HurtsOnlyItsCaller(const absl::Status& status) {
  return absl::IsInvalidArgument(status) || absl::IsNotFound(status) ||
         absl::IsUnimplemented(status);
}

}  // namespace

bool Lowering::IsFunctional(const Node& node) const {
  if (node.op_def() == nullptr) return graph_.library->Find(node.op()) != nullptr;
  return sluice::IsFunctional(node.kind());
}

bool Lowering::Wanted(const Node& node) const {
  if (!IsFunctional(node)) return false;
  if (!options_.for_gradients) return true;
  if (node.op_def() == nullptr) return !graph_.library->gradients.contains(node.op());
  return node.kind() == OpKind::kSymbolicGradient || node.kind() == OpKind::kCall;
}

bool Lowering::MarkedForLowering(const Node& node) {
  return GetAttrOr<bool>(node.attrs, "_lower_using_switch_merge", false);
}

absl::Status Lowering::Run() {
  const std::vector<bool> behind = BehindFlow();
  for (int id = options_.first_id; id < graph_.num_ids(); ++id) {
    Node* node = graph_.by_id(id);
    if (node != nullptr && Wanted(*node)) work_.push_back({node, behind[id], true});
  }
  if (options_.first_id > 0) SLUICE_RETURN_IF_ERROR(RewireExtension());
  while (!work_.empty()) {
    const Work work = work_.back();
    work_.pop_back();
    SLUICE_RETURN_IF_ERROR(Lower(work));
  }
  return absl::OkStatus();
}

// By node id: the node may be dead, or run more than once.
std::vector<bool> Lowering::BehindFlow() const {
  std::vector<bool> behind(graph_.num_ids(), false);
  std::vector<const Node*> pending;
  for (const Node* node : graph_.nodes()) {
    if (node->flow() == Flow::kSwitch || node->flow() == Flow::kEnter) pending.push_back(node);
  }
  while (!pending.empty()) {
    const Node* node = pending.back();
    pending.pop_back();
    for (const Edge* edge : node->out_edges()) {
      if (behind[edge->dst->id()]) continue;
      behind[edge->dst->id()] = true;
      pending.push_back(edge->dst);
    }
  }
  return behind;
}

// New nodes that read outputs of replaced nodes are connected to the replacement.
absl::Status Lowering::RewireExtension() {
  for (int id = options_.first_id; id < graph_.num_ids(); ++id) {
    Node* node = graph_.by_id(id);
    if (node == nullptr) continue;
    for (int i = 0; i < node->num_inputs(); ++i) {
      Edge* edge = node->input(i);
      if (edge == nullptr || !IsLowered(*edge->src)) continue;
      const Output made = LoweredOutput(*edge->src, edge->src_output);
      graph_.RemoveEdge(edge);
      graph_.AddEdge(made.node, made.index, node, i);
    }
  }
  return absl::OkStatus();
}

absl::Status Lowering::Lower(const Work& work) {
  const std::string label = work.node->Label();
  absl::StatusOr<bool> lowers = true;
  if (work.node->kind() == OpKind::kRemoteCall) lowers = AimRemoteCall(*work.node);
  if (lowers.ok() && !*lowers) return absl::OkStatus();
  auto replacement = lowers.ok() ? Replace(work) : lowers.status();
  if (work.node->op_def() != nullptr && HurtsOnlyItsCaller(replacement.status())) {
    work.node->attrs["_refused"] = std::string(replacement.status().message());
    work.node->attrs["_refused_code"] = static_cast<int64_t>(replacement.status().raw_code());
    return absl::OkStatus();
  }
  if (!replacement.ok()) return Annotate(replacement.status(), label);
  if (absl::Status status = Install(work, *std::move(replacement)); !status.ok())
    return Annotate(status, label);
  if (graph_.num_nodes() > options_.max_nodes) {
    return ResourceExhausted(label, ": with the bodies of its functions the graph has more than ",
                             options_.max_nodes, " nodes");
  }
  return absl::OkStatus();
}

absl::StatusOr<Replacement> Lowering::Replace(const Work& work) {
  const Node& node = *work.node;
  switch (node.kind()) {
    case OpKind::kWhile:
      return While(work);
    case OpKind::kFor:
      return For(work);
    case OpKind::kIf: {
      SLUICE_ASSIGN(auto yes, GetAttr<FunctionRef>(node.attrs, "then_branch"));
      SLUICE_ASSIGN(auto no, GetAttr<FunctionRef>(node.attrs, "else_branch"));
      return Branches(work, {std::move(no), std::move(yes)});
    }
    case OpKind::kCase: {
      SLUICE_ASSIGN(auto branches, GetAttr<std::vector<FunctionRef>>(node.attrs, "branches"));
      return Branches(work, branches);
    }
    case OpKind::kRemoteCall:
      if (!StatesTarget(node)) return CallOnOneTask(work);
      break;
    default:
      break;
  }
  SLUICE_ASSIGN(std::vector<Output> inputs, Inputs(node));
  if (node.op_def() == nullptr) {
    return Call(work, {node.op(), std::make_shared<const AttrMap>(node.attrs)}, std::move(inputs));
  }
  SLUICE_ASSIGN(const auto f, GetAttr<FunctionRef>(node.attrs, "f"));
  if (node.kind() == OpKind::kSymbolicGradient) return Gradient(work, f, std::move(inputs));
  if (node.kind() == OpKind::kRemoteCall) inputs.erase(inputs.begin());
  return Call(work, f, std::move(inputs));
}

// Removes the node. If the client knows it, a node with its name stays.
absl::Status Lowering::Install(const Work& work, Replacement replacement) {
  Node* node = work.node;
  for (size_t k = 0; work.client && k < replacement.outputs.size(); ++k) {
    if (replacement.own[k]) continue;
    SLUICE_ASSIGN(Node * own, Add(*node, "out", "Identity", {replacement.outputs[k]}));
    replacement.outputs[k] = {own, 0};
  }
  std::vector<Node*> waiting;
  for (const Edge* edge : std::vector<Edge*>(node->out_edges())) {
    if (edge->control()) {
      waiting.push_back(edge->dst);
      continue;
    }
    Node* dst = edge->dst;
    const int input = edge->dst_input;
    const Output& made = replacement.outputs[edge->src_output];
    graph_.RemoveEdge(dst->input(input));
    graph_.AddEdge(made.node, made.index, dst, input);
  }
  if (waiting.empty() && !work.client) {
    graph_.RemoveNode(node);
    return absl::OkStatus();
  }
  const std::string name = work.client ? node->name() : graph_.UniqueName(node->name() + ">done");
  const std::string device = node->requested_device;
  graph_.RemoveNode(node);
  AttrMap attrs;
  if (work.client) attrs[kLowered] = true;
  const bool hands_on = work.client && !replacement.outputs.empty();
  std::vector<Output> inputs;
  if (hands_on) inputs = replacement.outputs;
  SLUICE_ASSIGN(Node * stand_in, AddNode(graph_, hands_on ? "IdentityN" : "NoOp", inputs,
                                         std::move(attrs), {name, device}));
  for (Node* done : replacement.done) graph_.AddControlEdge(done, stand_in);
  if (!hands_on) {
    for (const Output& output : replacement.outputs) {
      Node* made = output.node;
      if (made->flow() == Flow::kSwitch) {  // which of its outputs is live?
        SLUICE_ASSIGN(made, AddNode(graph_, "Identity", {output}, {}, {name, device}));
      }
      graph_.AddControlEdge(made, stand_in);
    }
  }
  for (Node* dst : waiting) graph_.AddControlEdge(stand_in, dst);
  return absl::OkStatus();
}

absl::Status LowerFunctions(Graph& graph, const LowerOptions& options) {
  if (graph.library == nullptr) return absl::OkStatus();
  return Lowering(graph, options).Run();
}

}  // namespace sluice::graph
