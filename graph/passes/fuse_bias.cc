// SPDX-License-Identifier: Apache-2.0
#include "graph/passes/fuse_bias.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "core/device_name.h"
#include "core/status.h"

namespace sluice::graph {
namespace {

bool ChannelsLast(const Node& node) {
  return GetAttrOr<std::string>(node.attrs, "data_format", "NHWC") == "NHWC";
}

bool HasControlInput(const Node& node) {
  return absl::c_any_of(node.in_edges(), [](const Edge* edge) { return edge->control(); });
}

// The node that reads input 0 from `node` on the same device, if nothing else follows `node`.
Node* OnlyReader(const Node& node) {
  if (node.out_edges().size() != 1) return nullptr;
  const Edge& edge = *node.out_edges()[0];
  const bool follows = !edge.control() && edge.dst_input == 0 && edge.dst->device == node.device;
  return follows ? edge.dst : nullptr;
}

// None of them is removed with another one.
std::vector<Node*> Joinable(const Graph& graph) {
  std::vector<Node*> found;
  for (Node* node : graph.nodes()) {
    if (node->op_def() != nullptr && !node->op_def()->fused.name.empty()) found.push_back(node);
  }
  return found;
}

// A node that becomes a part of another.
struct Member {
  Node* node;
  int output;  // of the joined node: what the others read from this one
};

class Fusion {
 public:
  Fusion(Graph& graph, const PassContext& context) : graph_(graph), context_(context) {}

  absl::Status Run(Node& node) {
    if (!ChannelsLast(node)) return absl::OkStatus();
    return node.op_def()->fused.with == OpKind::kBias ? WithBias(node) : WithBiasGrad(node);
  }

 private:
  absl::Status WithBias(Node& node) {
    Node* const bias = OnlyReader(node);
    if (bias == nullptr || bias->kind() != OpKind::kBias || !ChannelsLast(*bias))
      return absl::OkStatus();
    std::vector<std::string> ops = {bias->op()};
    std::vector<Member> members = {{&node, 0}, {bias, 0}};
    Node* const activation = OnlyReader(*bias);
    if (activation != nullptr && activation->kind() == OpKind::kActivation) {
      ops.push_back(activation->op());
      members.push_back({activation, 0});
    }
    AttrMap attrs = node.attrs;
    attrs["fused_ops"] = std::move(ops);
    attrs["num_args"] = int64_t{1};
    return Join(members, std::move(attrs), {node.input(0), node.input(1), bias->input(1)});
  }

  absl::Status WithBiasGrad(Node& node) {
    for (const Edge* edge : node.out_edges()) {
      Node* const grad = edge->dst;
      if (grad->kind() == OpKind::kBiasGrad && ChannelsLast(*grad) && !HasControlInput(*grad) &&
          grad->device == node.device) {
        return Join({{&node, 0}, {grad, 1}}, node.attrs, {node.input(0), node.input(1)});
      }
    }
    return absl::OkStatus();
  }

  // Does nothing if the device has no kernel. The joined node has the name of the first one.
  absl::Status Join(const std::vector<Member>& members, AttrMap attrs,
                    const std::vector<Edge*>& inputs) {
    const Node& first = *members[0].node;
    std::string op = first.op_def()->fused.name;
    SLUICE_ASSIGN(const DeviceName device, DeviceName::Parse(first.device));
    if (!context_.kernels->Has(op, device.type.value_or(""), attrs)) return absl::OkStatus();
    const auto is_member = [&](const Node* node) {
      return absl::c_any_of(members, [node](const Member& m) { return m.node == node; });
    };
    std::vector<Edge> in, out;  // copies, since edges end with their nodes
    std::vector<Node*> before;
    for (const Edge* edge : inputs) in.push_back(*edge);
    for (const Member& member : members) {
      for (const Edge* edge : member.node->in_edges()) {
        if (edge->control()) before.push_back(edge->src);
      }
      for (const Edge* edge : member.node->out_edges()) {
        if (is_member(edge->dst)) continue;
        out.push_back(*edge);
        if (!edge->control()) out.back().src_output = member.output;
      }
    }
    const std::string name = first.name(), device_name = first.device,
                      requested = first.requested_device;
    for (const Member& member : members) graph_.RemoveNode(member.node);
    SLUICE_ASSIGN(Node* const joined,
                  graph_.AddNode(name, std::move(op), std::move(attrs), requested));
    joined->device = device_name;
    for (size_t i = 0; i < in.size(); ++i) {
      graph_.AddEdge(in[i].src, in[i].src_output, joined, static_cast<int>(i));
    }
    for (Node* node : before) graph_.AddControlEdge(node, joined);
    for (const Edge& edge : out) {
      if (edge.control())
        graph_.AddControlEdge(joined, edge.dst);
      else
        graph_.AddEdge(joined, edge.src_output, edge.dst, edge.dst_input);
    }
    return absl::OkStatus();
  }

  Graph& graph_;
  const PassContext& context_;
};

}  // namespace

absl::Status FuseBias(Graph& graph, const PassContext& context) {
  if (context.kernels == nullptr || !context.watches.empty()) return absl::OkStatus();
  Fusion fusion(graph, context);
  for (Node* node : Joinable(graph)) SLUICE_RETURN_IF_ERROR(fusion.Run(*node));
  return absl::OkStatus();
}

}  // namespace sluice::graph
