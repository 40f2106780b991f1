// SPDX-License-Identifier: Apache-2.0
#include "graph/gradients/gradients.h"

#include <algorithm>

#include "absl/container/flat_hash_set.h"
#include "graph/functions.h"
#include "graph/gradients/functions.h"
#include "graph/gradients/node_gradient.h"

namespace sluice::graph {
namespace {

const GradientTable& Table() {
  static const auto* const kTable = [] {
    auto* table = new GradientTable;
    for (const GradientFile& file : GradientFiles()) file.add(*table);
    AddNoGradients(*table);
    return table;
  }();
  return *kTable;
}

bool HasDerivative(DType t) { return kFloating.contains(t) || kComplex.contains(t); }

// Whether a gradient can flow from one to the other: both real, both complex, or the same type.
bool AreAlike(DType gradient, DType of) {
  return gradient == of || (kFloating.contains(gradient) && kFloating.contains(of)) ||
         (kComplex.contains(gradient) && kComplex.contains(of));
}

// Types through which gradients flow: handles stand for variables, objects hold tensors.
bool IsDifferentiable(DType t) { return HasDerivative(t) || t == kResource || t == kVariant; }

// Marks the nodes on a path along data edges, by node id.
std::vector<bool> Reachable(const Graph& graph, absl::Span<const Output> from, bool forward,
                            const absl::flat_hash_set<Output>& stop) {
  std::vector<bool> seen(graph.num_ids(), false);
  std::vector<Node*> pending;
  auto visit = [&](Node* node) {
    if (seen[node->id()]) return;
    seen[node->id()] = true;
    pending.push_back(node);
  };
  for (const Output& output : from) visit(output.node);
  while (!pending.empty()) {
    Node* node = pending.back();
    pending.pop_back();
    for (Edge* edge : forward ? node->out_edges() : node->in_edges()) {
      if (edge->control() || stop.contains({edge->src, edge->src_output})) continue;
      visit(forward ? edge->dst : edge->src);
    }
  }
  return seen;
}

// Reverse accumulation over one graph.
class Accumulation {
 public:
  Accumulation(Graph& graph, const GradientOptions& options)
      : graph_(graph), options_(options), builder_(graph, options) {}

  absl::StatusOr<std::vector<std::optional<GradientOutput>>> Run(
      absl::Span<const Output> ys, absl::Span<const Output> xs,
      absl::Span<const std::optional<Output>> grad_ys);
  void Undo() { builder_.Undo(); }  // to nodes that existed before

 private:
  absl::Status Seed(absl::Span<const Output> ys, absl::Span<const std::optional<Output>> grad_ys);
  absl::Status Visit(Node& node);
  // New nodes are named under `prefix`, and placed with `node` if the options ask for it.
  void SetScope(std::string prefix, const Node& node) {
    builder_.set_prefix(std::move(prefix));
    builder_.set_colocation(options_.colocate ? &node : nullptr);
  }
  GradientOutput Total(const Output& output);  // the sum of all gradients into it
  GradientOutput Joined(const std::vector<GradientOutput>& parts);

  Graph& graph_;
  const GradientOptions& options_;
  Builder builder_;
  std::vector<bool> from_x_;  // by node id: a path from some x leads here
  absl::flat_hash_set<Output> stop_;
  absl::flat_hash_set<Output> constants_;  // those not in xs: they get no gradient
  absl::flat_hash_map<Output, std::vector<GradientOutput>> parts_;
};

absl::Status Accumulation::Seed(absl::Span<const Output> ys,
                                absl::Span<const std::optional<Output>> grad_ys) {
  for (size_t i = 0; i < ys.size(); ++i) {
    SetScope(options_.scope, *ys[i].node);
    const bool given = i < grad_ys.size() && grad_ys[i].has_value();
    if (!HasDerivative(ys[i].dtype()) && !(given && ys[i].dtype() == kVariant)) {
      return InvalidArgument("cannot differentiate \"", ys[i].name(), "\" of dtype ", ys[i].dtype(),
                             ": only floating and complex tensors have gradients");
    }
    if (given && !AreAlike(grad_ys[i]->dtype(), ys[i].dtype())) {
      return InvalidArgument("the gradient given for \"", ys[i].name(), "\" must be like ",
                             ys[i].dtype(), ", got ", grad_ys[i]->dtype());
    }
    parts_[ys[i]].push_back({given ? *grad_ys[i] : builder_.OnesLike(ys[i]), {}, {}});
  }
  return builder_.status();
}

GradientOutput Accumulation::Joined(const std::vector<GradientOutput>& parts) {
  if (parts.size() == 1) return parts[0];
  std::vector<Output> values, indices;
  const bool sparse = std::all_of(parts.begin(), parts.end(), [&](const GradientOutput& part) {
    return part.sparse() && part.indices.dtype() == parts[0].indices.dtype();
  });
  for (const GradientOutput& part : parts) {
    values.push_back(sparse ? part.values : builder_.Dense(part));
    if (sparse) indices.push_back(part.indices);
  }
  if (!sparse) return {builder_.Sum(values), {}, {}};
  for (std::vector<Output>* list : {&values, &indices}) list->push_back(builder_.Int(0));
  return {builder_.Op("ConcatV2", values), builder_.Op("ConcatV2", indices), parts[0].dense_shape};
}

GradientOutput Accumulation::Total(const Output& output) {
  auto it = parts_.find(output);
  if (it == parts_.end() || it->second.empty()) return {};
  it->second = {Joined(it->second)};
  return it->second[0];
}

absl::Status Accumulation::Visit(Node& node) {
  SetScope(absl::StrCat(options_.scope, "/", node.name(), "_grad"), node);
  std::vector<GradientOutput> incoming(node.num_outputs());
  bool any = false;
  for (int i = 0; i < node.num_outputs(); ++i) {
    if (stop_.contains({&node, i})) continue;
    incoming[i] = Total({&node, i});
    any |= static_cast<bool>(incoming[i].values);
  }
  if (!any) return builder_.status();
  std::vector<bool> wanted(node.num_inputs());
  for (int i = 0; i < node.num_inputs(); ++i) {
    const Edge* edge = node.input(i);
    wanted[i] = edge != nullptr && from_x_[edge->src->id()] &&
                IsDifferentiable(RemoveRef(node.input_types[i])) &&
                !constants_.contains({edge->src, edge->src_output});
  }
  // Gradients are not computed for inputs that depend on no x.
  if (std::none_of(wanted.begin(), wanted.end(), [](bool w) { return w; }))
    return builder_.status();
  GradientFunction function = nullptr;
  if (auto known = Table().find(node.op()); known != Table().end()) {
    function = known->second;
  } else if (graph_.library != nullptr && graph_.library->Find(node.op()) != nullptr) {
    function = NamedCallGradient;
  } else {
    return NoGradient(graph_, node);
  }
  if (function == nullptr) return builder_.status();
  NodeGradient gradient(node, builder_, std::move(incoming), wanted);
  function(gradient);
  if (options_.gate) gradient.Gate();
  // the node may have more inputs by now
  for (int i = 0; i < static_cast<int>(wanted.size()); ++i) {
    const GradientOutput& part = gradient.outgoing(i);
    if (wanted[i] && part.values) parts_[gradient.in(i)].push_back(part);
  }
  return builder_.status();
}

absl::StatusOr<std::vector<std::optional<GradientOutput>>> Accumulation::Run(
    absl::Span<const Output> ys, absl::Span<const Output> xs,
    absl::Span<const std::optional<Output>> grad_ys) {
  stop_.insert(options_.stop_gradients.begin(), options_.stop_gradients.end());
  SLUICE_ASSIGN(const std::vector<Node*> order, graph_.TopologicalOrder());
  constants_ = stop_;
  for (const Output& x : xs) constants_.erase(x);
  from_x_ = Reachable(graph_, xs, /*forward=*/true, constants_);
  const std::vector<bool> to_y = Reachable(graph_, ys, /*forward=*/false, constants_);
  SLUICE_RETURN_IF_ERROR(Seed(ys, grad_ys));
  for (auto node = order.rbegin(); node != order.rend(); ++node) {
    const int id = (*node)->id();
    if (from_x_[id] && to_y[id]) SLUICE_RETURN_IF_ERROR(Visit(**node));
  }
  std::vector<std::optional<GradientOutput>> result;
  for (const Output& x : xs) {
    SetScope(options_.scope, *x.node);
    const GradientOutput total = Total(x);
    result.push_back(total.values ? std::make_optional(total) : std::nullopt);
  }
  SLUICE_RETURN_IF_ERROR(builder_.status());
  return result;
}

}  // namespace

std::vector<GradientFile> GradientFiles() {
  return {
      {"array", AddArrayGradients},
      {"array_indexing", AddArrayIndexingGradients},
      {"array_rearrange", AddArrayRearrangeGradients},
      {"control_flow", AddControlFlowGradients},
      {"data_flow", AddDataFlowGradients},
      {"dataset", AddDatasetGradients},
      {"debug", AddDebugGradients},
      {"functions", AddFunctionsGradients},
      {"image", AddImageGradients},
      {"linalg", AddLinalgGradients},
      {"list", AddListGradients},
      {"math", AddMathGradients},
      {"math_elementary", AddMathElementaryGradients},
      {"math_reduction", AddMathReductionGradients},
      {"math_segments", AddMathSegmentsGradients},
      {"nn", AddNnGradients},
      {"nn_second_order", AddNnSecondOrderGradients},
      {"nn_window", AddNnWindowGradients},
      {"quantized", AddQuantizedGradients},
      {"ragged", AddRaggedGradients},
      {"random", AddRandomGradients},
      {"rnn", AddRnnGradients},
      {"signal", AddSignalGradients},
      {"sparse", AddSparseGradients},
      {"state", AddStateGradients},
  };
}

GradientKind GradientKindOf(absl::string_view op) {
  const auto known = Table().find(op);
  if (known == Table().end()) return GradientKind::kUnknown;
  return known->second != nullptr ? GradientKind::kFunction : GradientKind::kNone;
}

absl::StatusOr<std::vector<std::optional<GradientOutput>>> AddGradients(
    Graph& graph, absl::Span<const Output> ys, absl::Span<const Output> xs,
    absl::Span<const std::optional<Output>> grad_ys, const GradientOptions& options) {
  const int first_id = graph.num_ids();
  Accumulation accumulation(graph, options);
  auto result = accumulation.Run(ys, xs, grad_ys);
  if (!result.ok()) {
    accumulation.Undo();
    graph.RemoveNodesFrom(first_id);
  }
  return result;
}

}  // namespace sluice::graph
