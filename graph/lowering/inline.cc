// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "core/device_name.h"
#include "core/status.h"
#include "graph/infer_attrs.h"
#include "graph/lowering/lowering.h"

namespace sluice::graph {
namespace {

constexpr absl::string_view kColocate = "loc:@";
constexpr absl::string_view kInstance = "_instance";

}  // namespace

absl::StatusOr<Node*> Lowering::Add(const Node& caller, absl::string_view what,
                                    absl::string_view op, absl::Span<const Output> inputs,
                                    AttrMap attrs) {
  return AddNode(graph_, op, inputs, std::move(attrs),
                 {absl::StrCat(caller.name(), ">", what), caller.requested_device});
}

absl::StatusOr<Output> Lowering::ToBool(const Node& caller, Output value) {
  SLUICE_ASSIGN(Node * node, Add(caller, "bool", "ToBool", {value}));
  return Output{node, 0};
}

absl::StatusOr<const FunctionBody*> Lowering::Body(const std::string& name, const AttrMap& attrs) {
  std::deque<Kept>& kept = bodies_[name];
  for (const Kept& k : kept) {
    if (k.attrs == attrs) return &k.body;
  }
  SLUICE_ASSIGN(FunctionBody body, Instantiate(graph_.library, graph_.ops(), name, attrs));
  return &kept.emplace_back(Kept{attrs, std::move(body)}).body;
}

absl::StatusOr<const FunctionBody*> Lowering::Body(const FunctionRef& function) {
  return Body(function.name, function.attrs == nullptr ? AttrMap() : *function.attrs);
}

absl::Status Lowering::CheckTypes(const FunctionBody& body, absl::Span<const DType> args,
                                  absl::Span<const DType> rets) {
  auto check = [&](const char* what, absl::Span<const DType> have, absl::Span<const DType> want) {
    if (have.size() != want.size()) {
      return InvalidArgument("function \"", body.name, "\" has ", want.size(), " ", what, "s, but ",
                             have.size(), " are expected");
    }
    for (size_t i = 0; i < have.size(); ++i) {
      if (RemoveRef(have[i]) == want[i] || have[i] == kInvalid || want[i] == kInvalid) continue;
      return InvalidArgument(what, " ", i, " of function \"", body.name, "\" is of type ", want[i],
                             ", but ", have[i], " is expected");
    }
    return absl::OkStatus();
  };
  SLUICE_RETURN_IF_ERROR(check("argument", args, body.arg_types));
  return check("result", rets, body.ret_types);
}

absl::StatusOr<std::vector<Output>> Lowering::Inputs(const Node& node) {
  std::vector<Node*> before;
  for (const Edge* edge : node.in_edges()) {
    if (edge->control()) before.push_back(edge->src);
  }
  std::vector<Output> inputs;
  for (int i = 0; i < node.num_inputs(); ++i) {
    const Edge* edge = node.input(i);
    Output input{edge->src, edge->src_output};
    if (!before.empty() || IsRef(input.node->output_types[input.index])) {
      SLUICE_ASSIGN(Node * value, Add(node, "in", "Identity", {input}));
      for (Node* src : before) graph_.AddControlEdge(src, value);
      input = {value, 0};
    }
    inputs.push_back(input);
  }
  return inputs;
}

Lowering::Pivot Lowering::PivotOf(const Node& node, std::vector<Output> inputs) {
  return [this, &node, inputs = std::move(inputs),
          pivot = static_cast<Node*>(nullptr)]() mutable -> absl::StatusOr<Node*> {
    if (pivot != nullptr) return pivot;
    SLUICE_ASSIGN(pivot, Add(node, "start", "NoOp", {}));
    for (const Edge* edge : node.in_edges()) {
      if (edge->control()) graph_.AddControlEdge(edge->src, pivot);
    }
    SLUICE_RETURN_IF_ERROR(WaitFor(node, inputs, pivot));
    return pivot;
  };
}

bool Lowering::IsStrict(absl::Span<const Output> args) {
  const auto comes_later = [](const Output& arg) { return !arg.node->in_edges().empty(); };
  return args.size() > 1 && absl::c_any_of(args, comes_later);
}

absl::Status Lowering::WaitFor(const Node& node, absl::Span<const Output> inputs, Node* pivot) {
  for (const Output& input : inputs) {
    Node* src = input.node;
    if (src->flow() == Flow::kSwitch) {  // only one of its outputs is live
      SLUICE_ASSIGN(src, Add(node, "live", "Identity", {input}));
    }
    graph_.AddControlEdge(src, pivot);
  }
  return absl::OkStatus();
}

Lowering::Site Lowering::SiteOf(const Work& work, absl::string_view part) const {
  Site site;
  site.prefix = work.node->name();
  if (!part.empty()) absl::StrAppend(&site.prefix, ">", part);
  site.device = work.node->requested_device;
  site.conditional = work.conditional;
  site.instance = GetAttrOr<std::string>(work.node->attrs, kInstance, "");
  if (!site.instance.empty() && !part.empty()) absl::StrAppend(&site.instance, ">", part);
  return site;
}

absl::StatusOr<Lowering::Inlined> Lowering::Inline(const FunctionBody& body, const Site& site,
                                                   Effects effects) {
  if (graph_.num_nodes() + body.graph->num_nodes() > options_.max_nodes) {
    return ResourceExhausted("with the body of function \"", body.name,
                             "\" the graph has more than ", options_.max_nodes, " nodes");
  }
  std::vector<Node*> copies(body.graph->num_ids(), nullptr);
  for (const Node* node : body.order) {
    if (!IsArgOrRetval(*node)) copies[node->id()] = Copy(*node, body, site);
  }
  SLUICE_RETURN_IF_ERROR(CopyEdges(body, site, copies));
  SLUICE_RETURN_IF_ERROR(Anchor(body, site, copies));

  Inlined inlined;
  for (size_t k = 0; k < body.rets.size(); ++k) {
    const Edge& edge = body.result(static_cast<int>(k));
    inlined.rets.push_back(copies[edge.src->id()] == nullptr
                               ? site.args[FunctionBody::ArgIndex(*edge.src)]
                               : Output{copies[edge.src->id()], edge.src_output});
  }
  const bool all = effects == Effects::kAll ||
                   (effects == Effects::kControlRetsOrAll && body.control_rets.empty());
  for (const Node* node : body.control_rets) inlined.effects.push_back(copies[node->id()]);
  for (const Node* node : body.effects) {
    if (all) inlined.effects.push_back(copies[node->id()]);
  }
  return inlined;
}

Node* Lowering::Copy(const Node& node, const FunctionBody& body, const Site& site) {
  Node* copy = graph_.AddCopy(node, graph_.UniqueName(absl::StrCat(site.prefix, ">", node.name())));
  copy->requested_device =
      site.own_devices ? MergeDevices(node.requested_device, site.device) : site.device;
  if (copy->flow() == Flow::kEnter) {  // each copy of a loop is a separate loop
    Attr& frame = copy->attrs["frame_name"];
    frame = absl::StrCat(site.prefix, ">", GetAttrOr<std::string>(copy->attrs, "frame_name", ""));
  }
  if (auto it = copy->attrs.find("_class"); it != copy->attrs.end()) {
    if (auto* groups = std::get_if<std::vector<std::string>>(&it->second.value)) {
      // Looks only among the body's nodes: the graph may have a node with that name by chance.
      for (std::string& group : *groups) {
        absl::string_view mate = group;
        if (absl::ConsumePrefix(&mate, kColocate))
          group = absl::StrCat(kColocate, site.prefix, ">", mate);
      }
    }
  }
  const bool functional = IsFunctional(*copy);
  const std::string& instance = body.noinline ? body.key : site.instance;
  if (!instance.empty() && (functional || copy->stateful()))
    copy->attrs[std::string(kInstance)] = absl::StrCat(instance, ">", node.name());
  if (functional && Wanted(*copy))
    work_.push_back({copy, site.conditional || body.has_flow, false});
  return copy;
}

absl::Status Lowering::CopyEdges(const FunctionBody& body, const Site& site,
                                 const std::vector<Node*>& copies) {
  // for each argument, a node that runs once it has arrived
  std::vector<Node*> come(site.args.size(), nullptr);
  for (const Node* node : body.order) {
    Node* dst = copies[node->id()];
    if (dst == nullptr) continue;
    for (const Edge* edge : node->in_edges()) {
      Node* src = copies[edge->src->id()];
      if (src != nullptr) {
        graph_.AddEdge(src, edge->src_output, dst, edge->dst_input);
        continue;
      }
      const size_t index = FunctionBody::ArgIndex(*edge->src);
      const Output& arg = site.args[index];
      if (!edge->control()) {
        graph_.AddEdge(arg.node, arg.index, dst, edge->dst_input);
        continue;
      }
      if (come[index] == nullptr && arg.node->flow() == Flow::kSwitch) {  // only one output is live
        SLUICE_ASSIGN(come[index], AddNode(graph_, "Identity", {arg}, {},
                                           {absl::StrCat(site.prefix, ">come"), site.device}));
      }
      graph_.AddControlEdge(come[index] == nullptr ? arg.node : come[index], dst);
    }
  }
  return absl::OkStatus();
}

// If the body always runs, and runs once, only nodes with side effects wait for its start. Nodes
// that need no argument may run at any time; a loop waits as a whole. In other bodies no node may
// start without an input. At a strict site, a node with state that has one argument waits for the
// others too: what came before them is in the variable that it reads.
absl::Status Lowering::Anchor(const FunctionBody& body, const Site& site,
                              const std::vector<Node*>& copies) {
  if (site.pivot == nullptr) return absl::OkStatus();
  std::vector<bool> waits(copies.size(), false);  // for the pivot
  for (const Node* node : body.order) {
    Node* copy = copies[node->id()];
    if (copy == nullptr) continue;
    const bool enters = copy->flow() == Flow::kEnter;
    const bool acts = copy->stateful() || IsFunctional(*copy) || enters;
    const bool alone = site.conditional ? node->in_edges().empty() : acts && !body.fed[node->id()];
    const bool waited =
        absl::c_any_of(node->in_edges(), [&](const Edge* edge) { return waits[edge->src->id()]; });
    const OpDef* op = copy->op_def() != nullptr ? copy->op_def() : graph_.library->Find(copy->op());
    const bool has_state = (op != nullptr && op->stateful) || (enters && body.state_in_loops);
    const bool early = site.strict && has_state && !waited;
    waits[node->id()] = waited || alone || early;
    if (!alone && !early) continue;
    SLUICE_ASSIGN(Node * pivot, site.pivot());
    graph_.AddControlEdge(pivot, copy);
  }
  return absl::OkStatus();
}

// ---- Calls.

absl::StatusOr<Replacement> Lowering::Call(const Work& work, const FunctionRef& function,
                                           std::vector<Output> args) {
  SLUICE_ASSIGN(const FunctionBody* body, Body(function));
  return Put(work, *body, std::move(args));
}

absl::StatusOr<Replacement> Lowering::Put(const Work& work, const FunctionBody& body,
                                          std::vector<Output> args) {
  const Node& node = *work.node;
  std::vector<DType> types;
  for (const Output& arg : args) types.push_back(arg.dtype());
  SLUICE_RETURN_IF_ERROR(CheckTypes(body, types, node.output_types));
  Site site = SiteOf(work, "");
  const bool by_name = node.op_def() == nullptr;
  site.own_devices = !by_name;
  for (const Edge* edge : node.in_edges()) site.conditional |= edge->control();
  site.strict = IsStrict(args);
  if (site.conditional || !args.empty()) site.pivot = PivotOf(node, args);
  site.args = std::move(args);
  SLUICE_ASSIGN(Inlined inlined,
                Inline(body, site, by_name ? Effects::kAll : Effects::kControlRetsOrAll));
  Replacement replacement;
  replacement.outputs = std::move(inlined.rets);
  replacement.own.resize(replacement.outputs.size(), false);
  SLUICE_RETURN_IF_ERROR(Gate(node, inlined.effects, replacement));
  if (replacement.outputs.empty() && replacement.done.empty() && site.pivot != nullptr) {
    SLUICE_ASSIGN(Node * pivot, site.pivot());
    replacement.done.push_back(pivot);
  }
  return replacement;
}

absl::Status Lowering::Gate(const Node& node, const std::vector<Node*>& effects,
                            Replacement& replacement) {
  if (effects.empty()) return absl::OkStatus();
  Node* done = effects[0];
  if (effects.size() > 1) {
    SLUICE_ASSIGN(done, Add(node, "effects", "NoOp", {}));
    for (Node* effect : effects) graph_.AddControlEdge(effect, done);
  }
  for (size_t k = 0; k < replacement.outputs.size(); ++k) {
    SLUICE_ASSIGN(Node * gated, Add(node, "out", "Identity", {replacement.outputs[k]}));
    graph_.AddControlEdge(done, gated);
    replacement.outputs[k] = {gated, 0};
    replacement.own[k] = true;
  }
  replacement.done.push_back(done);
  return absl::OkStatus();
}

}  // namespace sluice::graph
