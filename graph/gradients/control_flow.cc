// SPDX-License-Identifier: Apache-2.0
// Gradients of conditionals made of Switch and Merge. Each gradient runs in the branch that ran.
#include <algorithm>

#include "graph/gradients/functions.h"
#include "graph/gradients/node_gradient.h"

namespace sluice::graph {
namespace {

// A tensor of a branch is live if `predicate` equals `side`.
struct Condition {
  Output predicate;
  int side;
};
using Conditions = std::vector<Condition>;  // outermost first

Output BehindIdentities(Output x) {
  while (x.node->kind() == OpKind::kIdentity) {
    const Edge* edge = x.node->input(0);
    if (edge == nullptr) break;
    x = {edge->src, edge->src_output};
  }
  return x;
}

Output InputOf(const Node& node, int i) {
  const Edge* edge = node.input(i);
  return edge == nullptr ? Output{} : Output{edge->src, edge->src_output};
}

// The name of the frame of a loop that a node is in or enters; "" outside of loops.
std::string LoopOf(const Graph& graph, const Node& node) {
  std::vector<bool> seen(graph.num_ids(), false);
  std::vector<const Node*> pending = {&node};
  while (!pending.empty()) {
    const Node* at = pending.back();
    pending.pop_back();
    if (seen[at->id()]) continue;
    seen[at->id()] = true;
    if (at->flow() == Flow::kEnter) return GetAttrOr<std::string>(at->attrs, "frame_name", "");
    for (const Edge* edge : at->in_edges()) {
      if (!edge->control()) pending.push_back(edge->src);
    }
  }
  return "";
}

bool IsOfLoop(const Node& node) {
  if (node.flow() == Flow::kSwitch) {
    const Output predicate = InputOf(node, 1);
    return predicate && BehindIdentities(predicate).node->flow() == Flow::kLoopCond;
  }
  return std::any_of(node.in_edges().begin(), node.in_edges().end(),
                     [](const Edge* edge) { return edge->src->flow() == Flow::kNextIteration; });
}

// Finds the conditions under which nodes run, outside of loops.
class Branches {
 public:
  Conditions Of(const Edge& edge) {
    Visit(*edge.src);
    return Through(edge);
  }

 private:
  Conditions Through(const Edge& edge) const {
    const auto known = conditions_.find(edge.src);
    Conditions all = known == conditions_.end() ? Conditions() : known->second;
    if (edge.src->flow() == Flow::kSwitch && !edge.control()) {
      const Output predicate = InputOf(*edge.src, 1);
      if (predicate) all.push_back({BehindIdentities(predicate), edge.src_output});
    }
    return all;
  }

  // Each node after its inputs. A loop counts as one node that always runs.
  void Visit(const Node& last) {
    std::vector<std::pair<const Node*, bool>> pending = {{&last, false}};
    while (!pending.empty()) {
      const auto [node, inputs_done] = pending.back();
      pending.pop_back();
      if (inputs_done) {
        Conditions all;
        for (const Edge* edge : node->in_edges()) {
          Conditions some = Through(*edge);
          if (some.size() > all.size()) all = std::move(some);
        }
        if (node->flow() == Flow::kMerge && !all.empty()) all.pop_back();
        conditions_[node] = std::move(all);
      } else if (conditions_.try_emplace(node).second && node->flow() != Flow::kExit) {
        pending.emplace_back(node, true);
        for (const Edge* edge : node->in_edges()) pending.emplace_back(edge->src, false);
      }
    }
  }

  absl::flat_hash_map<const Node*, Conditions> conditions_;
};

// The gradient of a Merge goes to the branch that ran.
void Merge(NodeGradient& g) {
  if (IsOfLoop(g.node)) return g.b.Fail(NoGradient(g.b.graph(), g.node));
  Branches branches;
  std::vector<Condition> innermost;
  for (int i = 0; i < g.num_inputs(); ++i) {
    const Conditions all = branches.Of(*g.node.input(i));
    if (!all.empty()) innermost.push_back(all.back());
  }
  if (g.num_inputs() != 2 || innermost.size() != 2 || innermost[0].side == innermost[1].side ||
      innermost[0].predicate != innermost[1].predicate) {
    return g.b.Fail(Unimplemented("gradient of ", g.node.Label(),
                                  ": its inputs must be the two branches of one condition"));
  }
  const auto sides = g.b.Ops("Switch", {g.grad(), innermost[0].predicate});
  if (sides.size() != 2) return;
  for (int i : {0, 1}) g.Set(i, sides[innermost[i].side]);
}

// The gradient from the branch that ran; zeros if there is none.
void Switch(NodeGradient& g) {
  if (IsOfLoop(g.node)) return g.b.Fail(NoGradient(g.b.graph(), g.node));
  const DType type = g.grad(g.has_grad(0) ? 0 : 1).dtype();
  std::vector<Output> sides;
  for (int side : {0, 1}) {
    const Output out = g.out(side);
    if (!g.has_grad(side)) {
      sides.push_back(ZerosOf(g.b, out, type));
      continue;
    }
    // A value that is known before the step must not come from a branch that does not run.
    const Output runs = g.Op("Identity", {out}), flow = g.Op("Identity", {g.grad(side)});
    if (runs && flow) g.b.graph().AddControlEdge(runs.node, flow.node);
    sides.push_back(flow);
  }
  g.Set(0, g.Op("Merge", sides, {{"N", 2}}));
}

}  // namespace

absl::Status NoGradient(const Graph& graph, const Node& node) {
  if (node.flow() != Flow::kNone) {
    const std::string frame = LoopOf(graph, node);
    if (!frame.empty()) {
      return Unimplemented("gradients of loops are not implemented: loop \"", frame, "\", at ",
                           node.Label());
    }
  }
  return Unimplemented("op ", node.op(), " has no gradient function: ", node.Label());
}

void AddControlFlowGradients(GradientTable& table) {
  table["Switch"] = table["RefSwitch"] = Switch;
  table["Merge"] = table["RefMerge"] = Merge;
}

}  // namespace sluice::graph
