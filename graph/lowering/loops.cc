// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/status.h"
#include "graph/infer_attrs.h"
#include "graph/lowering/lowering.h"

namespace sluice::graph {

// The parts of a loop. A variable that every iteration passes on unchanged enters the frame once,
// as a constant.
struct Lowering::Loop {
  std::vector<Output> inputs;
  std::vector<bool> constant;
  std::vector<bool> read;  // by the body
  int64_t parallel_iterations = 10;
  // Computes from the variables the bool that decides whether there is another iteration.
  std::function<absl::StatusOr<Inlined>(std::vector<Output> values, Pivot pivot)> cond;
  // Returns the variables of the next iteration. Those of constants are not used.
  std::function<absl::StatusOr<Inlined>(std::vector<Output> values, Pivot pivot)> body;
};

//   input -> Enter -> Merge -> Switch -> Exit
//                       ^         \-> body -> NextIteration -> Merge
//                       \-> cond -> LoopCond -> Switch
absl::StatusOr<Replacement> Lowering::MakeLoop(const Work& work, Loop loop) {
  const Node& node = *work.node;
  const size_t n = loop.inputs.size();
  const bool marked = MarkedForLowering(node);
  std::vector<Output> values;
  std::vector<Node*> merges(n, nullptr);
  Node* first = nullptr;
  for (size_t i = 0; i < n; ++i) {
    AttrMap attrs;
    attrs["frame_name"] = node.name();
    attrs["parallel_iterations"] = loop.parallel_iterations;
    attrs["is_constant"] = static_cast<bool>(loop.constant[i]);
    SLUICE_ASSIGN(Node * enter, Add(node, "enter", "Enter", {loop.inputs[i]}, std::move(attrs)));
    values.push_back({enter, 0});
    if (loop.constant[i]) continue;
    SLUICE_ASSIGN(merges[i], Add(node, "merge", "Merge", {values[i], values[i]}));
    graph_.RemoveEdge(merges[i]->input(1));
    values[i] = {merges[i], 0};
    if (first == nullptr) first = merges[i];
  }

  SLUICE_ASSIGN(Inlined cond,
                loop.cond(values, [first]() -> absl::StatusOr<Node*> { return first; }));
  Output more = cond.rets[0];
  if (more.dtype() != kBool) {
    SLUICE_ASSIGN(more, ToBool(node, more));
  }
  SLUICE_ASSIGN(Node * loop_cond, Add(node, "cond", "LoopCond", {more}));
  for (Node* effect : cond.effects) graph_.AddControlEdge(effect, loop_cond);

  std::vector<Output> entering(n);
  std::vector<Node*> switches(n, nullptr);
  for (size_t i = 0; i < n; ++i) {
    if (loop.constant[i] && !loop.read[i]) continue;
    SLUICE_ASSIGN(switches[i], Add(node, "switch", "Switch", {values[i], Output{loop_cond, 0}}));
    entering[i] = {switches[i], 1};
  }
  const size_t lead =
      std::find(loop.constant.begin(), loop.constant.end(), false) - loop.constant.begin();
  Node* pivot = nullptr;
  SLUICE_ASSIGN(Inlined body, loop.body(entering, [&]() -> absl::StatusOr<Node*> {
    if (pivot != nullptr) return pivot;
    SLUICE_ASSIGN(pivot, Add(node, "pivot", "Identity", {entering[lead]}));
    return pivot;
  }));

  Replacement replacement;
  Node* left = nullptr;
  for (size_t i = 0; i < n; ++i) {
    if (loop.constant[i]) continue;
    SLUICE_ASSIGN(Node * next, Add(node, "next", "NextIteration", {body.rets[i]}));
    graph_.AddEdge(next, 0, merges[i], 1);
    if (i == lead || !marked) {
      for (Node* effect : body.effects) graph_.AddControlEdge(effect, next);
    }
    SLUICE_ASSIGN(Node * exit, Add(node, "exit", "Exit", {Output{switches[i], 0}}));
    if (left == nullptr) left = exit;
  }
  replacement.done.push_back(left);
  for (int k = 0; k < node.num_outputs(); ++k) {
    const size_t i = k + (n - node.num_outputs());
    Node* out = nullptr;
    if (loop.constant[i]) {  // not before the loop has ended
      SLUICE_ASSIGN(out, Add(node, "out", "Identity", {loop.inputs[i]}));
      graph_.AddControlEdge(left, out);
    } else {
      for (const Edge* edge : switches[i]->out_edges()) {
        if (edge->dst->flow() == Flow::kExit) out = edge->dst;
      }
    }
    replacement.outputs.push_back({out, 0});
    replacement.own.push_back(true);
  }
  return replacement;
}

namespace {

// The results that equal the argument with the same index.
std::vector<bool> HandedOn(const FunctionBody& body, size_t first) {
  std::vector<bool> same(body.rets.size(), false);
  for (size_t k = 0; k < body.rets.size(); ++k)
    same[k] = body.result(static_cast<int>(k)).src == body.args[first + k];
  return same;
}

// Passing a variable on to itself is not a read; passing it on to another variable is.
std::vector<bool> Read(const FunctionBody& body, size_t first) {
  std::vector<bool> read;
  for (size_t i = first; i < body.args.size(); ++i) {
    const auto& edges = body.args[i]->out_edges();
    const Node* own = body.rets[i - first];
    read.push_back(std::any_of(edges.begin(), edges.end(),
                               [own](const Edge* edge) { return edge->dst != own; }));
  }
  return read;
}

}  // namespace

absl::StatusOr<Replacement> Lowering::While(const Work& work) {
  const Node& node = *work.node;
  SLUICE_ASSIGN(const auto cond_ref, GetAttr<FunctionRef>(node.attrs, "cond"));
  SLUICE_ASSIGN(const auto body_ref, GetAttr<FunctionRef>(node.attrs, "body"));
  SLUICE_ASSIGN(const FunctionBody* cond, Body(cond_ref));
  SLUICE_ASSIGN(const FunctionBody* body, Body(body_ref));
  if (cond->ret_types.size() != 1) {
    return InvalidArgument("Expected a single scalar return value from WhileOp cond, got ",
                           cond->ret_types.size(), " tensors. (function \"", cond->name, "\")");
  }
  if (body->ret_types.size() != node.input_types.size()) {
    return InvalidArgument("While loop body returned ", body->ret_types.size(),
                           " arguments. Expected: ", node.input_types.size(), ". (function \"",
                           body->name, "\")");
  }
  SLUICE_RETURN_IF_ERROR(CheckTypes(*cond, node.input_types, cond->ret_types));
  SLUICE_RETURN_IF_ERROR(CheckTypes(*body, node.input_types, node.input_types));
  const Effects effects = MarkedForLowering(node) ? Effects::kControlRets : Effects::kAll;
  const int num_inputs = node.num_inputs();

  Loop loop;
  SLUICE_ASSIGN(loop.inputs, Inputs(node));
  loop.constant = HandedOn(*body, 0);
  loop.read = Read(*body, 0);
  loop.parallel_iterations = GetAttrOr<int64_t>(node.attrs, "parallel_iterations", 10);
  const bool no_variable =
      std::find(loop.constant.begin(), loop.constant.end(), false) == loop.constant.end();
  if (no_variable && num_inputs > 0) loop.constant[0] = false;
  if (num_inputs == 0) {  // a loop needs at least one variable
    SLUICE_ASSIGN(Node * none, Add(node, "none", "Const", {},
                                   {{"dtype", kBool}, {"value", Tensor::Scalar<bool>(true)}}));
    SLUICE_ASSIGN(Node * start, PivotOf(node, {})());
    graph_.AddControlEdge(start, none);
    loop.inputs.push_back({none, 0});
    loop.constant.push_back(false);
    loop.read.push_back(false);
  }
  auto inline_at = [this, &work, effects, num_inputs](const FunctionBody* function,
                                                      const char* part) {
    return [=, this, &work](std::vector<Output> values, Pivot pivot) -> absl::StatusOr<Inlined> {
      Site site = SiteOf(work, part);
      site.conditional = true;
      site.pivot = std::move(pivot);
      const Output around = values.empty() ? Output{} : values[0];
      values.resize(num_inputs);
      site.args = std::move(values);
      SLUICE_ASSIGN(Inlined inlined, Inline(*function, site, effects));
      if (inlined.rets.empty()) inlined.rets.push_back(around);
      return inlined;
    };
  };
  loop.cond = inline_at(cond, "cond");
  loop.body = inline_at(body, "body");
  return MakeLoop(work, std::move(loop));
}

// The inputs must be three scalars. The delta must lead from start to limit, unless both are equal.
// Appends to `inputs`, after the three, whether the loop counts up; its start value waits for the
// check.
absl::Status Lowering::CheckRange(const Node& node, std::vector<Output>& inputs) {
  absl::Status failed;
  auto op = [&](const char* name, Output a, Output b) {
    auto made = Add(node, "range", name, {a, b});
    failed.Update(made.status());
    return made.ok() ? Output{*made, 0} : a;
  };
  auto constant = [&](Tensor value) {
    AttrMap attrs = {{"dtype", value.dtype()}, {"value", std::move(value)}};
    auto made = Add(node, "range", "Const", {}, std::move(attrs));
    failed.Update(made.status());
    return made.ok() ? Output{*made, 0} : inputs[0];
  };
  // Fails with a text about `shown` unless `fine` holds.
  auto require = [&](const char* name, Output fine, std::vector<Output> shown, std::string text) {
    AttrMap format = {{"template", std::move(text)}, {"placeholder", std::string("{}")}};
    auto formatted = Add(node, "text", "StringFormat", std::move(shown), std::move(format));
    if (!formatted.ok()) return formatted;
    return Add(node, name, "Assert", {fine, Output{*formatted, 0}});
  };
  const Output zero = constant(Tensor::Scalar<int32_t>(0));
  constexpr const char* kNames[] = {"start", "limit", "delta"};
  for (int i = 0; i < 3; ++i) {
    SLUICE_ASSIGN(Node * rank, Add(node, "rank", "Rank", {inputs[i]}));
    SLUICE_ASSIGN(Node * shape, Add(node, "shape", "Shape", {inputs[i]}));
    SLUICE_ASSIGN(Node * check,
                  require("scalar", op("Equal", Output{rank, 0}, zero), {Output{shape, 0}},
                          absl::StrCat(kNames[i], " must be a scalar, but {}")));
    SLUICE_ASSIGN(Node * scalar, Add(node, kNames[i], "EnsureShape", {inputs[i]},
                                     {{"shape", Attr(PartialShape({}))}}));
    graph_.AddControlEdge(check, scalar);
    inputs[i] = {scalar, 0};
  }
  const Output start = inputs[0], limit = inputs[1];
  const Output up = op("Greater", inputs[2], zero), down = op("Less", inputs[2], zero);
  const Output leads = op("LogicalOr", op("LogicalAnd", up, op("Less", start, limit)),
                          op("LogicalAnd", down, op("Greater", start, limit)));
  const Output fine = op("LogicalOr", leads, op("Equal", start, limit));
  SLUICE_RETURN_IF_ERROR(failed);
  SLUICE_ASSIGN(Node * check, require("check", fine, {start, limit, inputs[2]},
                                      "Invalid start/limit/delta: {} {} {}"));
  SLUICE_ASSIGN(Node * checked, Add(node, "checked", "Identity", {start}));
  graph_.AddControlEdge(check, checked);
  inputs[0] = {checked, 0};
  inputs.insert(inputs.begin() + 3, up);
  return absl::OkStatus();
}

// For (start, limit, delta, inputs...): a counter, constants, and the body's variables.
absl::StatusOr<Replacement> Lowering::For(const Work& work) {
  const Node& node = *work.node;
  SLUICE_ASSIGN(const auto body_ref, GetAttr<FunctionRef>(node.attrs, "body"));
  SLUICE_ASSIGN(const FunctionBody* body, Body(body_ref));
  if (body->ret_types.size() != node.output_types.size()) {
    return InvalidArgument("For loop body returned ", body->ret_types.size(),
                           " arguments. Expected: ", node.output_types.size(), ". (function \"",
                           body->name, "\")");
  }
  std::vector<DType> args = node.output_types;
  args.insert(args.begin(), kInt32);
  SLUICE_RETURN_IF_ERROR(CheckTypes(*body, args, node.output_types));

  Loop loop;
  SLUICE_ASSIGN(loop.inputs, Inputs(node));
  SLUICE_RETURN_IF_ERROR(CheckRange(node, loop.inputs));
  loop.constant = {false, true, true, true};
  loop.read = {true, false, true, false};
  for (bool constant : HandedOn(*body, 1)) loop.constant.push_back(constant);
  for (bool read : Read(*body, 1)) loop.read.push_back(read);
  // Counts up or down to the limit.
  loop.cond = [this, &node](const std::vector<Output>& values,
                            const Pivot&) -> absl::StatusOr<Inlined> {
    SLUICE_ASSIGN(Node * below, Add(node, "below", "Less", {values[0], values[1]}));
    SLUICE_ASSIGN(Node * above, Add(node, "above", "Greater", {values[0], values[1]}));
    SLUICE_ASSIGN(Node * more,
                  Add(node, "more", "Select", {values[3], Output{below, 0}, Output{above, 0}}));
    return Inlined{{{more, 0}}, {}};
  };
  loop.body = [this, &node, &work, body](std::vector<Output> values,
                                         Pivot pivot) -> absl::StatusOr<Inlined> {
    SLUICE_ASSIGN(Node * next, Add(node, "step", "Add", {values[0], values[2]}));
    Site site = SiteOf(work, "body");
    site.conditional = true;
    site.pivot = std::move(pivot);
    site.args.push_back(values[0]);
    site.args.insert(site.args.end(), values.begin() + 4, values.end());
    SLUICE_ASSIGN(Inlined inlined, Inline(*body, site, Effects::kAll));
    inlined.rets.insert(inlined.rets.begin(), {Output{next, 0}, Output{}, Output{}, Output{}});
    return inlined;
  };
  return MakeLoop(work, std::move(loop));
}

}  // namespace sluice::graph
