// SPDX-License-Identifier: Apache-2.0
#include "absl/strings/str_cat.h"
#include "core/status.h"
#include "graph/infer_attrs.h"
#include "graph/lowering/lowering.h"

namespace sluice::graph {

// The node's inputs are switched to the branch taken; the outputs of the branches are merged.
//
//   input -> Switch -> branch 0 -> Merge -> output
//                  \\-> branch 1 -/
absl::StatusOr<Replacement> Lowering::Branches(const Work& work,
                                               const std::vector<FunctionRef>& branches) {
  const Node& node = *work.node;
  const int n = static_cast<int>(branches.size());
  std::vector<const FunctionBody*> bodies;
  const absl::Span<const DType> types = absl::MakeConstSpan(node.input_types).subspan(1);
  for (const FunctionRef& branch : branches) {
    SLUICE_ASSIGN(const FunctionBody* body, Body(branch));
    SLUICE_RETURN_IF_ERROR(CheckTypes(*body, types, node.output_types));
    bodies.push_back(body);
  }
  SLUICE_ASSIGN(std::vector<Output> inputs, Inputs(node));
  const bool two_way = node.kind() == OpKind::kIf;
  Output which = inputs[0];
  // The kernel of an If treats a non-empty tensor as true. A marked If becomes a Switch, which
  // accepts only a scalar.
  if (two_way && (which.dtype() != kBool || !MarkedForLowering(node))) {
    SLUICE_ASSIGN(which, ToBool(node, which));
  }
  auto split = [&](const char* what, Output value) -> absl::StatusOr<Node*> {
    if (two_way) return Add(node, what, "Switch", {value, which});
    return Add(node, what, "_SwitchN", {value, which}, {{"num_outs", Attr(n)}});
  };

  // State of a branch is read and changed when all inputs have come, as by the kernel of an If.
  const absl::Span<const Output> args = absl::MakeConstSpan(inputs).subspan(1);
  const bool strict = IsStrict(args);
  SLUICE_ASSIGN(Node * taken, split("taken", which));
  std::vector<Site> sites(n);
  std::vector<Node*> pivots(n, nullptr);
  for (int b = 0; b < n; ++b) {
    const std::string part = two_way ? (b == 1 ? "then" : "else") : absl::StrCat("branch_", b);
    sites[b] = SiteOf(work, part);
    sites[b].conditional = true;
    sites[b].strict = strict;
    sites[b].pivot = [this, &node, &pivots, &args, strict, taken, b]() -> absl::StatusOr<Node*> {
      if (pivots[b] != nullptr) return pivots[b];
      SLUICE_ASSIGN(pivots[b], Add(node, "pivot", "Identity", {Output{taken, b}}));
      if (strict) SLUICE_RETURN_IF_ERROR(WaitFor(node, args, pivots[b]));
      return pivots[b];
    };
  }
  for (size_t i = 1; i < inputs.size(); ++i) {
    bool read = false;
    for (const FunctionBody* body : bodies) read |= !body->args[i - 1]->out_edges().empty();
    Node* value = taken;  // in place of a value that is not read
    if (read) {
      SLUICE_ASSIGN(value, split("switch", inputs[i]));
    }
    for (int b = 0; b < n; ++b) sites[b].args.push_back({value, b});
  }

  const bool marked = MarkedForLowering(node);
  std::vector<Inlined> inlined;
  bool effects = node.num_outputs() == 0;
  for (int b = 0; b < n; ++b) {
    SLUICE_ASSIGN(Inlined body,
                  Inline(*bodies[b], sites[b], marked ? Effects::kControlRets : Effects::kAll));
    effects = effects || !body.effects.empty();
    inlined.push_back(std::move(body));
  }
  Replacement replacement;
  SLUICE_RETURN_IF_ERROR(MergeBranches(node, inlined, replacement));
  if (!effects) return replacement;

  SLUICE_ASSIGN(Node * done, EndOfBranches(node, taken, inlined));
  if (!marked) {
    SLUICE_RETURN_IF_ERROR(Gate(node, {done}, replacement));
  } else {
    replacement.done.push_back(done);
  }
  return replacement;
}

absl::Status Lowering::MergeBranches(const Node& node, const std::vector<Inlined>& branches,
                                     Replacement& replacement) {
  for (int k = 0; k < node.num_outputs(); ++k) {
    std::vector<Output> values;
    for (const Inlined& body : branches) values.push_back(body.rets[k]);
    SLUICE_ASSIGN(Node * merge, Add(node, "merge", "Merge", values));
    replacement.outputs.push_back({merge, 0});
    replacement.own.push_back(true);
  }
  return absl::OkStatus();
}

absl::StatusOr<Node*> Lowering::EndOfBranches(const Node& node, Node* taken,
                                              const std::vector<Inlined>& branches) {
  std::vector<Output> ends;
  for (size_t b = 0; b < branches.size(); ++b) {
    SLUICE_ASSIGN(Node * end, Add(node, "end", "Identity", {Output{taken, static_cast<int>(b)}}));
    for (Node* effect : branches[b].effects) graph_.AddControlEdge(effect, end);
    ends.push_back({end, 0});
  }
  return Add(node, "ended", "Merge", ends);
}

}  // namespace sluice::graph
