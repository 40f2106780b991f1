// SPDX-License-Identifier: Apache-2.0
#include "master/client_edges.h"

#include "absl/container/flat_hash_set.h"
#include "graph/import.h"
#include "transport/messages.h"

namespace sluice::master {
namespace {

using graph::Edge;
using graph::Graph;
using graph::Node;
using graph::TensorName;
using Connection = std::pair<std::string, std::string>;

// "a" and "a:0" are one tensor.
std::pair<std::string, int> Canonical(const std::string& tensor) {
  auto name = graph::ParseTensorName(tensor);
  if (!name.ok()) return {tensor, 0};  // ApplySignature reports the error
  return {std::string(name->node), name->output};
}

struct Endpoint {
  Node* node;
  int output;
};

absl::StatusOr<Endpoint> FindSource(const Connection& connection, const Graph& graph) {
  SLUICE_ASSIGN(const TensorName name, graph::ParseTensorName(connection.first));
  Node* node = graph.Find(name.node);
  if (node == nullptr) {
    return InvalidArgument("Requested tensor connection from unknown node: \"", connection.first,
                           "\".");
  }
  if (name.output < 0 || name.output >= node->num_outputs()) {
    return InvalidArgument("Requested tensor connection from unknown edge: \"", connection.first,
                           "\" (actual number of outputs = ", node->num_outputs(), ").");
  }
  return Endpoint{node, name.output};
}

absl::StatusOr<Endpoint> FindTarget(const Connection& connection, const Graph& graph) {
  SLUICE_ASSIGN(const TensorName name, graph::ParseTensorName(connection.second));
  Node* node = graph.Find(name.node);
  if (node == nullptr)
    return NotFound("FeedInputs: unable to find feed output ", connection.second);
  if (name.output < 0 || name.output >= node->num_outputs()) {
    return InvalidArgument("FeedInputs: ", connection.second, " should have output index < ",
                           node->num_outputs());
  }
  return Endpoint{node, name.output};
}

// Gives `node` the op of the other end of a client edge, under the same name.
absl::StatusOr<Node*> Replace(Node* node, const char* op, const char* type_attr, uint64_t edge,
                              Graph& graph) {
  AttrMap attrs;
  SLUICE_ASSIGN(const DType dtype, GetAttr<DType>(node->attrs, "T"));
  attrs[type_attr] = dtype;
  attrs["tensor_name"] = node->name();
  attrs["send_device"] = node->device;
  attrs["recv_device"] = node->device;
  attrs["send_device_incarnation"] = int64_t{0};
  attrs["client_terminated"] = true;
  attrs["_edge"] = static_cast<int64_t>(edge);
  const std::string device = node->device;
  SLUICE_ASSIGN(Node * made,
                graph.AddNode(graph.UniqueName(node->name()), op, std::move(attrs), device));
  made->device = device;
  const std::vector<Edge*> in(node->in_edges()), out(node->out_edges());
  for (Edge* edge : in) {
    const Edge old = *edge;
    graph.RemoveEdge(edge);
    if (old.control())
      graph.AddControlEdge(old.src, made);
    else
      graph.AddEdge(old.src, old.src_output, made, old.dst_input);
  }
  for (Edge* edge : out) {
    const Edge old = *edge;
    graph.RemoveEdge(edge);
    if (old.control())
      graph.AddControlEdge(made, old.dst);
    else
      graph.AddEdge(made, old.src_output, old.dst, old.dst_input);
  }
  graph.RemoveNode(node);
  return made;
}

}  // namespace

std::vector<DType> FeedTypes(const graph::Graph& graph, const graph::Signature& signature) {
  std::vector<DType> types;
  for (const std::string& feed : signature.feeds) {
    auto name = graph::ParseTensorName(feed);
    const graph::Node* node = name.ok() ? graph.Find(name->node) : nullptr;
    const bool known = node != nullptr && name->output >= 0 && name->output < node->num_outputs();
    types.push_back(known ? RemoveRef(node->output_types[name->output]) : kInvalid);
  }
  return types;
}

absl::Status CheckFedOnce(const graph::Signature& signature,
                          const std::vector<Connection>& connections) {
  absl::flat_hash_set<std::pair<std::string, int>> fed;
  for (const std::string& feed : signature.feeds) {
    if (!fed.insert(Canonical(feed)).second)
      return InvalidArgument("Endpoint \"", feed, "\" fed more than once.");
  }
  for (const auto& [from, to] : connections) {
    if (!fed.insert(Canonical(to)).second)
      return InvalidArgument("Endpoint \"", to, "\" fed more than once.");
  }
  if (fed.empty()) return absl::OkStatus();
  for (const std::string& fetch : signature.fetches) {
    if (fed.contains(Canonical(fetch))) return InvalidArgument(fetch, " is both fed and fetched.");
  }
  return absl::OkStatus();
}

absl::Status Connect(const std::vector<Connection>& connections, Graph& graph) {
  for (const Connection& connection : connections) {
    SLUICE_ASSIGN(const Endpoint from, FindSource(connection, graph));
    SLUICE_ASSIGN(const Endpoint to, FindTarget(connection, graph));
    const DType given = graph::BaseOutputType(*from.node, from.output);
    const DType wanted = graph::BaseOutputType(*to.node, to.output);
    if (given != wanted) {
      return InvalidArgument("tensor connection from ", connection.first, ", which is ", given,
                             ", to ", connection.second, ", which is ", wanted);
    }
    const bool placeholder = to.node->kind() == OpKind::kPlaceholder;
    const std::vector<Edge*> out(to.node->out_edges());
    for (Edge* edge : out) {
      const Edge old = *edge;
      if (old.src_output == to.output) {
        graph.RemoveEdge(edge);
        graph.AddEdge(from.node, from.output, old.dst, old.dst_input);
      } else if (old.control() && placeholder) {
        graph.RemoveEdge(edge);
        graph.AddControlEdge(from.node, old.dst);
      }
    }
    if (!graph.TopologicalOrder().ok()) {
      return InvalidArgument("Requested Tensor connection between nodes \"", to.node->name(),
                             "\" and \"", from.node->name(), "\" would create a cycle.");
    }
  }
  return absl::OkStatus();
}

std::vector<std::vector<int>> FetchNeeds(const Graph& graph, const graph::Signature& signature) {
  std::vector<std::vector<int>> needs(signature.fetches.size());
  for (const Node* retval : graph.nodes()) {
    if (retval->kind() != OpKind::kRetval) continue;
    const auto index = static_cast<size_t>(GetAttrOr<int64_t>(retval->attrs, "index", 0));
    std::vector<bool> seen(graph.num_ids(), false);
    std::vector<const Node*> open = {retval};
    while (!open.empty()) {
      const Node* node = open.back();
      open.pop_back();
      if (node->kind() == OpKind::kArg)
        needs[index].push_back(static_cast<int>(GetAttrOr<int64_t>(node->attrs, "index", 0)));
      for (const Edge* edge : node->in_edges()) {
        if (seen[edge->src->id()]) continue;
        seen[edge->src->id()] = true;
        open.push_back(edge->src);
      }
    }
  }
  return needs;
}

absl::Status AwaitClient(Graph& graph) {
  for (Node* node : graph.nodes()) {
    const auto index = static_cast<size_t>(GetAttrOr<int64_t>(node->attrs, "index", 0));
    if (node->kind() == OpKind::kArg) {
      SLUICE_RETURN_IF_ERROR(
          Replace(node, "_Recv", "tensor_type", transport::FeedKey(index).edge, graph).status());
    } else if (node->kind() == OpKind::kRetval) {
      SLUICE_RETURN_IF_ERROR(
          Replace(node, "_Send", "T", transport::FetchKey(index).edge, graph).status());
    }
  }
  return absl::OkStatus();
}

}  // namespace sluice::master
