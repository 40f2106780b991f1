// SPDX-License-Identifier: Apache-2.0
#include "graph/shape_inference.h"

#include <utility>

#include "absl/container/flat_hash_map.h"
#include "graph/shapes/input_patterns.h"
#include "graph/shapes/rules.h"

namespace sluice::graph {
namespace {

// Number of rounds in which the shapes of a loop may change. After that they are unknown.
constexpr int kMaxRounds = 8;

class Inference {
 public:
  explicit Inference(const Graph& graph)
      : graph_(graph), shapes_(graph.num_ids()), held_(graph.num_ids()), ints_(graph.num_ids()) {}

  absl::StatusOr<GraphShapes> Run() {
    SLUICE_ASSIGN(std::vector<Node*> order, graph_.TopologicalOrder());
    for (int round = 0;; ++round) {
      for (const Node* node : order) SLUICE_RETURN_IF_ERROR(Infer(*node));
      if (!Loosen(order, round + 1 >= kMaxRounds)) return std::move(shapes_);
    }
  }

 private:
  absl::Status Infer(const Node& node) {
    ShapeContext c(node, graph_.producer_version);
    for (int i = 0; i < node.num_inputs(); ++i) {
      const Edge* edge = node.input(i);
      if (edge == nullptr) continue;
      const int id = edge->src->id();
      if (IsBackEdge(*edge)) {
        if (i > 0) c.inputs[i] = c.inputs[0], c.held[i] = c.held[0];  // until Loosen changes it
        continue;
      }
      c.inputs[i] = shapes_[id][edge->src_output];
      c.held[i] = held_[id][edge->src_output];
      if (const auto& known = ints_[id][edge->src_output]) c.ints[i] = &*known;
      if (edge->src->kind() == OpKind::kConst)
        c.constants[i] = edge->src->attrs.at("value").get_if<Tensor>();
    }
    const ShapeFunction function = FindShapeFunction(node.op());
    if (function != nullptr && node.op_def() != nullptr) {
      absl::Status status = CheckInputPatterns(c);
      if (status.ok()) status = function(c);
      if (!status.ok()) return Annotate(status, node.Label());
    }
    if (auto loosened = loosened_.find(node.id()); loosened != loosened_.end()) {
      c.outputs[0] = Common(c.outputs[0], loosened->second);
    }
    ints_[node.id()] = KnownOutputs(c);
    shapes_[node.id()] = std::move(c.outputs);
    held_[node.id()] = std::move(c.outputs_hold);
    return absl::OkStatus();
  }

  // If an iteration changes a shape, only the common part of both shapes is known. Returns true if
  // there was such a loop: then its shapes must be inferred again.
  bool Loosen(const std::vector<Node*>& order, bool forget) {
    bool changed = false;
    for (const Node* merge : order) {
      if (merge->flow() != Flow::kMerge) continue;
      const PartialShape& now = shapes_[merge->id()][0];
      for (const Edge* edge : merge->in_edges()) {
        if (edge->control() || !IsBackEdge(*edge)) continue;
        const PartialShape& next = shapes_[edge->src->id()][edge->src_output];
        PartialShape common = forget ? PartialShape() : Common(now, next);
        if (common == now || next == now) continue;
        loosened_[merge->id()] = std::move(common);
        changed = true;
      }
    }
    return changed;
  }

  const Graph& graph_;
  GraphShapes shapes_;
  GraphShapes held_;
  std::vector<std::vector<std::optional<KnownInts>>> ints_;
  absl::flat_hash_map<int, PartialShape> loosened_;  // by the id of a Merge
};

}  // namespace

std::vector<ShapeFile> ShapeFiles() {
  return {
      {"array", ArrayRules()},
      {"array_indexing", ArrayIndexingRules()},
      {"array_rearrange", ArrayRearrangeRules()},
      {"collective", CollectiveRules()},
      {"control_flow", ControlFlowRules()},
      {"data_flow", DataFlowRules()},
      {"dataset", DatasetRules()},
      {"debug", DebugRules()},
      {"functions", FunctionsRules()},
      {"image", ImageRules()},
      {"io", IoRules()},
      {"io_checkpoints", IoCheckpointsRules()},
      {"linalg", LinalgRules()},
      {"list", ListRules()},
      {"lookup", LookupRules()},
      {"math", MathRules()},
      {"nn", NnRules()},
      {"parsing", ParsingRules()},
      {"quantized", QuantizedRules()},
      {"ragged", RaggedRules()},
      {"random", RandomRules()},
      {"rnn", RnnRules()},
      {"runtime", RuntimeRules()},
      {"signal", SignalRules()},
      {"sparse", SparseRules()},
      {"state", StateRules()},
      {"strings", StringsRules()},
      {"summary", SummaryRules()},
      {"training", TrainingRules()},
      {"trees", TreesRules()},
      {"xla", XlaRules()},
  };
}

ShapeFunction FindShapeFunction(absl::string_view op) {
  static const auto& functions = *[] {
    auto* all = new absl::flat_hash_map<absl::string_view, ShapeFunction>;
    for (const ShapeFile& file : ShapeFiles()) {
      for (const ShapeRule& rule : file.rules) all->emplace(rule.op, rule.function);
    }
    return all;
  }();
  auto it = functions.find(op);
  return it == functions.end() ? nullptr : it->second;
}

absl::StatusOr<GraphShapes> InferShapes(const Graph& graph) { return Inference(graph).Run(); }

}  // namespace sluice::graph
