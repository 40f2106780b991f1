// SPDX-License-Identifier: Apache-2.0
// Gradients of calls and conditionals. The function (every branch) is split into a forward part,
// which also returns the values that the backward part reads, and a backward part. The node itself
// becomes the forward part.
#include "graph/gradients/functions.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "graph/gradients/node_gradient.h"
#include "graph/gradients/split_body.h"
#include "graph/make_function.h"

namespace sluice::graph {

void ExtendOutputs(Node& node, absl::string_view types_attr, absl::Span<const DType> types) {
  node.output_types.insert(node.output_types.end(), types.begin(), types.end());
  node.attrs[std::string(types_attr)] = node.output_types;
  if (node.attrs.contains("output_shapes"))
    node.attrs["output_shapes"] = std::vector<PartialShape>();
}

namespace {

// The branches of a node, each split.
struct Branches {
  std::vector<FunctionRef> functions;
  std::vector<SplitBody> splits;
  std::vector<DType> saved;     // of all branches
  std::vector<DType> dx_types;  // by argument; kInvalid: not requested, or no gradient
  std::vector<int> args;        // that some backward part reads
};

absl::Status Split(Graph& graph, const SplitRequest& request, Branches& branches) {
  for (const FunctionRef& function : branches.functions) {
    SLUICE_ASSIGN(SplitBody split, SplitGradient(graph.library, graph.ops(), function, request));
    branches.splits.push_back(std::move(split));
  }
  branches.dx_types.assign(request.wanted.size(), kInvalid);
  for (const SplitBody& split : branches.splits) {
    for (const Output& output : split.saved) branches.saved.push_back(output.dtype());
    for (size_t i = 0; i < split.dxs.size(); ++i) {
      if (split.dxs[i]) branches.dx_types[i] = split.dxs[i].dtype();
    }
  }
  return absl::OkStatus();
}

// Results, and the values that all branches save: each branch has its own values, and zeros in
// place of the others'.
absl::StatusOr<FunctionRef> Forward(Graph& graph, const Branches& branches, size_t b) {
  const SplitBody& split = branches.splits[b];
  const FunctionBody& body = split.forward;
  FunctionSource source{body.graph.get(), {}, {}, body.control_rets};
  for (Node* arg : body.args) source.args.push_back({arg, 0});
  for (size_t k = 0; k < body.rets.size(); ++k) {
    const Edge& edge = body.result(static_cast<int>(k));
    source.rets.push_back({edge.src, edge.src_output});
  }
  GradientOptions options;
  Builder builder(*body.graph, options);
  builder.set_prefix("gradients");
  for (size_t other = 0; other < branches.splits.size(); ++other) {
    for (const Output& saved : branches.splits[other].saved) {
      source.rets.push_back(
          other == b
              ? saved
              : builder.Op("FakeParam", {}, {{"dtype", saved.dtype()}, {"shape", PartialShape()}}));
    }
  }
  SLUICE_RETURN_IF_ERROR(builder.status());
  SLUICE_ASSIGN(std::string name, AddFunction(graph, absl::StrCat(body.name, "_forward"), source));
  return FunctionRef{std::move(name), nullptr};
}

// (dy..., argument..., saved...) -> dx...
absl::StatusOr<FunctionRef> Backward(Graph& graph, Branches& branches, size_t b) {
  SplitBody& split = branches.splits[b];
  Graph& backward = *split.backward;
  backward.library = graph.library;
  FunctionSource source{&backward, {}, {}, {}};
  for (const Output& dy : split.dys) {
    if (dy) source.args.push_back(dy);
  }
  GradientOptions options;
  Builder builder(backward, options);
  builder.set_prefix("gradients");
  for (int arg : branches.args) {
    Output& in = split.args_in[arg];
    if (!in) {
      SLUICE_ASSIGN(in, AddInput(backward, split.forward.arg_types[arg]));
    }
    source.args.push_back(in);
  }
  for (size_t other = 0; other < branches.splits.size(); ++other) {
    for (size_t s = 0; s < branches.splits[other].saved.size(); ++s) {
      Output in = split.saved_in.empty() ? Output() : split.saved_in[other == b ? s : 0];
      if (other != b) {
        SLUICE_ASSIGN(in, AddInput(backward, branches.splits[other].saved[s].dtype()));
      }
      source.args.push_back(in);
    }
  }
  for (size_t i = 0; i < branches.dx_types.size(); ++i) {
    if (branches.dx_types[i] == kInvalid) continue;
    Output dx = split.dxs[i];
    if (!dx) dx = ZerosOf(builder, split.args_in[static_cast<int>(i)], branches.dx_types[i]);
    source.rets.push_back(dx);
  }
  SLUICE_RETURN_IF_ERROR(builder.status());
  SLUICE_ASSIGN(std::string name,
                AddFunction(graph, absl::StrCat(split.forward.name, "_backward"), source));
  return FunctionRef{std::move(name), nullptr};
}

void SetFunctions(absl::Span<const absl::string_view> names,
                  const std::vector<FunctionRef>& functions, AttrMap& attrs) {
  if (names[0] == "branches") {
    attrs["branches"] = functions;
    return;
  }
  for (size_t b = 0; b < names.size(); ++b) attrs[std::string(names[b])] = functions[b];
}

// For a node whose first `offset` inputs select the branch; the other inputs are the arguments.
absl::Status Differentiate(NodeGradient& g, Branches& branches, int offset,
                           absl::Span<const absl::string_view> attrs) {
  Graph& graph = g.b.graph();
  Node& node = *graph.by_id(g.node.id());
  Node* forward = &node;
  const int num_args = node.num_inputs() - offset;
  const int num_outputs = node.num_outputs();
  SplitRequest request;
  for (int k = 0; k < num_outputs; ++k) request.with_dy.push_back(g.has_grad(k));
  for (int i = 0; i < num_args; ++i) request.wanted.push_back(g.wanted(offset + i));
  request.invariant.assign(num_args, true);
  SLUICE_RETURN_IF_ERROR(Split(graph, request, branches));
  for (int i = 0; i < num_args; ++i) {
    bool reads = false;
    for (const SplitBody& split : branches.splits) {
      reads |= split.args_in.contains(i);
      reads |= branches.dx_types[i] != kInvalid && !split.dxs[i];  // zeros of the same shape
    }
    if (reads) branches.args.push_back(i);
  }

  AttrMap back;
  std::vector<FunctionRef> forwards, backwards;
  for (size_t b = 0; b < branches.splits.size(); ++b) {
    SLUICE_ASSIGN(FunctionRef backward, Backward(graph, branches, b));
    SLUICE_ASSIGN(FunctionRef forward, Forward(graph, branches, b));
    forwards.push_back(std::move(forward));
    backwards.push_back(std::move(backward));
  }
  SetFunctions(attrs, backwards, back);
  if (!branches.saved.empty()) {
    SLUICE_ASSIGN(forward, g.b.Changeable(node));
    SetFunctions(attrs, forwards, forward->attrs);
    ExtendOutputs(*forward, "Tout", branches.saved);
  }

  std::vector<Output> inputs;
  if (offset == 1) inputs.push_back(g.in(0));
  for (int k = 0; k < num_outputs; ++k) {
    if (g.has_grad(k)) inputs.push_back(g.grad(k));
  }
  for (int arg : branches.args) inputs.push_back(g.in(offset + arg));
  for (size_t s = 0; s < branches.saved.size(); ++s)
    inputs.push_back({forward, num_outputs + static_cast<int>(s)});
  std::vector<DType> types;
  for (DType type : branches.dx_types) {
    if (type != kInvalid) types.push_back(type);
  }
  if (types.empty()) return absl::OkStatus();
  back["Tout"] = types;
  if (offset == 1) back["_lower_using_switch_merge"] = true;
  const std::vector<Output> dxs = g.b.Ops(node.op(), inputs, std::move(back));
  SLUICE_RETURN_IF_ERROR(g.b.status());
  size_t next = 0;
  for (int i = 0; i < num_args; ++i) {
    if (branches.dx_types[i] != kInvalid) g.Set(offset + i, dxs[next++]);
  }
  return absl::OkStatus();
}

void CallGradient(NodeGradient& g) {
  Branches branches;
  branches.functions = {g.attr<FunctionRef>("f")};
  g.b.Fail(Differentiate(g, branches, 0, {"f"}));
}

void IfGradient(NodeGradient& g) {
  Branches branches;
  branches.functions = {g.attr<FunctionRef>("then_branch"), g.attr<FunctionRef>("else_branch")};
  g.b.Fail(Differentiate(g, branches, 1, {"then_branch", "else_branch"}));
}

void CaseGradient(NodeGradient& g) {
  Branches branches;
  branches.functions = g.attr<std::vector<FunctionRef>>("branches");
  g.b.Fail(Differentiate(g, branches, 1, {"branches"}));
}

}  // namespace

// The backward pass runs the body once more.
void NamedCallGradient(NodeGradient& g) {
  std::vector<Output> inputs;
  std::vector<DType> types;
  for (int i = 0; i < g.num_inputs(); ++i) {
    inputs.push_back(g.in(i));
    types.push_back(g.in(i).dtype());
  }
  const int num_outputs = g.node.num_outputs();
  for (int k = 0; k < num_outputs; ++k) inputs.push_back(g.grad(k));
  const FunctionRef function{g.node.op(), std::make_shared<const AttrMap>(g.node.attrs)};
  const std::vector<Output> dxs =
      g.b.Ops("SymbolicGradient", inputs, {{"f", function}, {"Tout", types}});
  for (size_t i = 0; i < dxs.size(); ++i) g.Set(static_cast<int>(i), dxs[i]);
}

Output ZerosOf(Builder& b, const Output& x, DType type) {
  if (x.dtype() != kResource) return b.Op("ZerosLike", {x});
  return b.Op("ZerosLike", {b.Op("ReadVariableOp", {x}, {{"dtype", type}})});
}

void AddFunctionsGradients(GradientTable& table) {
  for (auto op : {"PartitionedCall", "StatefulPartitionedCall"}) table[op] = CallGradient;
  for (auto op : {"If", "StatelessIf"}) table[op] = IfGradient;
  for (auto op : {"Case", "StatelessCase"}) table[op] = CaseGradient;
  for (auto op : {"While", "StatelessWhile"}) table[op] = WhileGradient;
}

}  // namespace sluice::graph
