// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/status.h"
#include "graph/gradients/functions.h"
#include "graph/gradients/gradients.h"
#include "graph/gradients/node_gradient.h"
#include "graph/lowering/lowering.h"

namespace sluice::graph {
namespace {

absl::Status CheckCount(const Node& node, const FunctionBody& gradient) {
  if (gradient.rets.size() == node.output_types.size()) return absl::OkStatus();
  return InvalidArgument("SymGrad expects to return ", node.output_types.size(),
                         " tensor(s), but get ", gradient.rets.size(), " tensor(s) instead.");
}

}  // namespace

// (x..., dy...) -> dx...: a call of the gradient function that the library names, or of one that is
// made from the function's body.
absl::StatusOr<Replacement> Lowering::Gradient(const Work& work, const FunctionRef& function,
                                               std::vector<Output> inputs) {
  auto stated = graph_.library->gradients.find(function.name);
  if (stated != graph_.library->gradients.end()) {
    const FunctionRef given{stated->second, function.attrs};
    SLUICE_ASSIGN(const FunctionBody* body, Body(given));
    SLUICE_RETURN_IF_ERROR(CheckCount(*work.node, *body));
    return Call(work, given, std::move(inputs));
  }
  SLUICE_ASSIGN(const FunctionBody* body, GradientBody(function, work.node->output_types));
  SLUICE_RETURN_IF_ERROR(CheckCount(*work.node, *body));
  return Put(work, *body, std::move(inputs));
}

// The gradient for a variable's handle has the type of its value in `types`.
absl::StatusOr<const FunctionBody*> Lowering::GradientBody(const FunctionRef& function,
                                                           absl::Span<const DType> types) {
  const AttrMap attrs = function.attrs == nullptr ? AttrMap() : *function.attrs;
  const auto add = [](std::string* text, DType type) { absl::StrAppend(text, Name(type)); };
  std::deque<Kept>& kept = bodies_[absl::StrCat("the gradient of ", function.name, " giving ",
                                                absl::StrJoin(types, ",", add))];
  for (const Kept& k : kept) {
    if (k.attrs == attrs) return &k.body;
  }
  SLUICE_ASSIGN(FunctionBody body, Instantiate(graph_.library, graph_.ops(), function.name, attrs));
  LowerOptions calls = options_;
  calls.first_id = 0;
  calls.for_gradients = true;
  SLUICE_RETURN_IF_ERROR(LowerFunctions(*body.graph, calls));

  std::vector<Output> ys, xs;
  std::vector<std::optional<Output>> grad_ys;
  for (Node* arg : body.args) xs.push_back({arg, 0});
  for (Node* ret : body.rets) {
    const Output y{ret->input(0)->src, ret->input(0)->src_output};
    SLUICE_ASSIGN(Node * grad, AddArg(body, y.dtype()));
    if (!kFloating.contains(y.dtype()) && !kComplex.contains(y.dtype())) continue;
    ys.push_back(y);
    grad_ys.push_back(Output{grad, 0});
  }
  GradientOptions options;
  SLUICE_ASSIGN(const auto gradients, AddGradients(*body.graph, ys, xs, grad_ys, options));
  for (Node* ret : body.rets) body.graph->RemoveNode(ret);
  body.rets.clear();
  body.ret_types.clear();
  Builder builder(*body.graph, options);
  builder.set_prefix(options.scope);
  for (size_t i = 0; i < xs.size(); ++i) {
    const DType type = i < types.size() ? types[i] : xs[i].dtype();
    Output x = builder.Op("ZerosLike", {xs[i]});
    if (gradients[i])
      x = builder.Dense(*gradients[i]);
    else if (type != kResource)
      x = ZerosOf(builder, xs[i], type);
    SLUICE_RETURN_IF_ERROR(builder.status());
    SLUICE_RETURN_IF_ERROR(AddRet(body, x.node, x.index, x.dtype()));
  }
  body.name = absl::StrCat("the gradient of ", function.name);
  body.control_rets.clear();
  SLUICE_RETURN_IF_ERROR(Complete(body));
  graph_.library = body.graph->library;  // gradients of conditionals and loops are new functions
  return &kept.emplace_back(Kept{attrs, std::move(body)}).body;
}

}  // namespace sluice::graph
