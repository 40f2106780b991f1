// SPDX-License-Identifier: Apache-2.0
#include "graph/gradients/split_body.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "core/status.h"
#include "graph/gradients/node_gradient.h"

namespace sluice::graph {
namespace {

class Splitter {
 public:
  Splitter(SplitBody& split, const SplitRequest& request)
      : split_(split), request_(request), graph_(*split.forward.graph) {}

  absl::Status Run() {
    const int first_id = graph_.num_ids();
    SLUICE_ASSIGN(std::vector<Output> dxs, Differentiate());
    FindForward(first_id);
    split_.backward = std::make_unique<Graph>(&graph_.ops());
    split_.backward->library = graph_.library;
    SLUICE_RETURN_IF_ERROR(CopyBackward());
    for (const Output& dx : dxs) {
      Output copy;
      if (dx) {
        SLUICE_ASSIGN(copy, Backward(dx));
      }
      split_.dxs.push_back(copy);
    }
    for (int id = first_id; id < graph_.num_ids(); ++id) {
      Node* node = graph_.by_id(id);
      if (node != nullptr && !forward_[id]) graph_.RemoveNode(node);
    }
    return absl::OkStatus();
  }

 private:
  absl::StatusOr<std::vector<Output>> Differentiate() {
    const FunctionBody& body = split_.forward;
    std::vector<Output> ys, xs;
    std::vector<std::optional<Output>> grad_ys;
    split_.dys.resize(body.rets.size());
    dy_nodes_.resize(body.rets.size(), nullptr);
    for (size_t k = 0; k < body.rets.size(); ++k) {
      if (!request_.with_dy[k]) continue;
      const Edge& edge = body.result(static_cast<int>(k));
      SLUICE_ASSIGN(const Output dy, AddInput(graph_, body.ret_types[k]));
      dy_nodes_[k] = dy.node;
      ys.push_back({edge.src, edge.src_output});
      grad_ys.push_back(dy);
    }
    std::vector<int> places;
    for (size_t i = 0; i < body.args.size(); ++i) {
      if (!request_.wanted[i]) continue;
      places.push_back(static_cast<int>(i));
      xs.push_back({body.args[i], 0});
    }
    GradientOptions options;
    SLUICE_ASSIGN(const auto gradients, AddGradients(graph_, ys, xs, grad_ys, options));
    Builder builder(graph_, options);
    builder.set_prefix(options.scope);
    std::vector<Output> dxs(body.args.size());
    for (size_t i = 0; i < places.size(); ++i) {
      if (gradients[i]) dxs[places[i]] = builder.Dense(*gradients[i]);
    }
    SLUICE_RETURN_IF_ERROR(builder.status());
    return dxs;
  }

  // The original nodes, and those that differentiation added before them (the lists of inner
  // loops).
  void FindForward(int first_id) {
    forward_.assign(graph_.num_ids(), false);
    std::vector<Node*> pending;
    for (int id = 0; id < first_id; ++id) {
      if (graph_.by_id(id) == nullptr) continue;
      forward_[id] = true;
      pending.push_back(graph_.by_id(id));
    }
    while (!pending.empty()) {
      Node* node = pending.back();
      pending.pop_back();
      for (const Edge* edge : node->in_edges()) {
        if (forward_[edge->src->id()]) continue;
        forward_[edge->src->id()] = true;
        pending.push_back(edge->src);
      }
    }
  }

  absl::Status CopyBackward() {
    SLUICE_ASSIGN(const std::vector<Node*> order, graph_.TopologicalOrder());
    copies_.assign(graph_.num_ids(), nullptr);
    for (Node* node : order) {
      if (forward_[node->id()]) continue;
      copies_[node->id()] = split_.backward->AddCopy(*node, node->name());
    }
    for (size_t k = 0; k < dy_nodes_.size(); ++k) {
      if (dy_nodes_[k] != nullptr) split_.dys[k] = {copies_[dy_nodes_[k]->id()], 0};
    }
    for (Node* node : order) {
      Node* copy = copies_[node->id()];
      if (copy == nullptr || forward_[node->id()]) continue;
      for (const Edge* edge : node->in_edges()) {
        if (edge->control()) {
          if (!forward_[edge->src->id()])
            split_.backward->AddControlEdge(copies_[edge->src->id()], copy);
          continue;
        }
        SLUICE_ASSIGN(const Output src, Backward({edge->src, edge->src_output}));
        split_.backward->AddEdge(src.node, src.index, copy, edge->dst_input);
      }
    }
    return absl::OkStatus();
  }

  // The tensor of the backward graph for this tensor.
  absl::StatusOr<Output> Backward(const Output& output) {
    const int id = output.node->id();
    if (copies_[id] != nullptr) return Output{copies_[id], output.index};
    if (output.node->kind() == OpKind::kConst) {
      copies_[id] =
          split_.backward->AddCopy(*output.node, split_.backward->UniqueName(output.node->name()));
      return Output{copies_[id], 0};
    }
    if (output.node->kind() == OpKind::kArg &&
        request_.invariant[FunctionBody::ArgIndex(*output.node)]) {
      Output& in = split_.args_in[FunctionBody::ArgIndex(*output.node)];
      if (!in) {
        SLUICE_ASSIGN(in, AddInput(*split_.backward, output.dtype()));
      }
      return in;
    }
    auto [it, added] = saved_.try_emplace(output);
    if (added) {
      SLUICE_ASSIGN(it->second, AddInput(*split_.backward, output.dtype()));
      split_.saved.push_back(output);
      split_.saved_in.push_back(it->second);
    }
    return it->second;
  }

  SplitBody& split_;
  const SplitRequest& request_;
  Graph& graph_;
  std::vector<Node*> dy_nodes_;
  std::vector<bool> forward_;  // by node id
  std::vector<Node*> copies_;  // by node id
  absl::flat_hash_map<Output, Output> saved_;
};

}  // namespace

absl::StatusOr<Output> AddInput(Graph& backward, DType type) {
  SLUICE_ASSIGN(Node * node, backward.AddNode(backward.UniqueName("_Arg/in"), "_Arg",
                                              {{"T", type}, {"index", int64_t{0}}}));
  return Output{node, 0};
}

absl::StatusOr<SplitBody> SplitGradient(std::shared_ptr<const FunctionLibrary>& library,
                                        const OpRegistry& ops, const FunctionRef& function,
                                        const SplitRequest& request) {
  SplitBody split;
  const AttrMap attrs = function.attrs == nullptr ? AttrMap() : *function.attrs;
  SLUICE_ASSIGN(split.forward, Instantiate(library, ops, function.name, attrs));
  if (absl::Status status = Splitter(split, request).Run(); !status.ok())
    return Annotate(status, Cat("gradient of function \"", function.name, "\""));
  library = split.forward.graph->library;
  return split;
}

}  // namespace sluice::graph
