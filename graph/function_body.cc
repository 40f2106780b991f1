// SPDX-License-Identifier: Apache-2.0
#include "graph/function_body.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "core/codec/codec.h"
#include "core/op/attr_text.h"
#include "core/status.h"
#include "graph/frames.h"
#include "graph/import.h"
#include "graph/names.h"
#include "proto/function.pb.h"

namespace sluice::graph {
namespace {

// The attributes of a signature, with defaults filled in.
absl::StatusOr<AttrMap> Bind(const OpDef& signature, const AttrMap& attrs) {
  AttrMap bound;
  for (const AttrDef& def : signature.attrs) {
    auto it = attrs.find(def.name);
    if (it != attrs.end()) bound.insert(*it);
  }
  SLUICE_RETURN_IF_ERROR(CheckAndCompleteAttrs(signature, bound));
  return bound;
}

// Replaces placeholders by the attributes of the call, in functions' attributes too.
absl::Status Substitute(const AttrMap& bound, AttrMap& attrs);

absl::Status Substitute(const AttrMap& bound, FunctionRef& function) {
  if (function.attrs == nullptr) return absl::OkStatus();
  AttrMap nested = *function.attrs;
  SLUICE_RETURN_IF_ERROR(Substitute(bound, nested));
  function.attrs = std::make_shared<const AttrMap>(std::move(nested));
  return absl::OkStatus();
}

absl::Status Substitute(const AttrMap& bound, AttrMap& attrs) {
  for (auto& [name, attr] : attrs) {
    if (const auto* placeholder = attr.get_if<AttrPlaceholder>()) {
      auto value = bound.find(placeholder->name);
      if (value == bound.end()) {
        return InvalidArgument("attribute \"", name, "\" takes the value of \"", placeholder->name,
                               "\", which the function does not have");
      }
      attr = Attr(value->second);
    } else if (auto* function = std::get_if<FunctionRef>(&attr.value)) {
      SLUICE_RETURN_IF_ERROR(Substitute(bound, *function));
    } else if (auto* functions = std::get_if<std::vector<FunctionRef>>(&attr.value)) {
      for (FunctionRef& f : *functions) SLUICE_RETURN_IF_ERROR(Substitute(bound, f));
    }
  }
  return absl::OkStatus();
}

std::string Key(const std::string& name, const AttrMap& bound) {
  std::string key = name;
  for (const auto& [attr, value] : bound) {
    absl::StrAppend(&key, ";", attr, "=");
    if (const auto* tensor = value.get_if<Tensor>()) {
      absl::StrAppend(&key, reinterpret_cast<uintptr_t>(tensor->raw()));
    } else {
      key += AttrValueText(value);
    }
  }
  return key;
}

class Instantiation {
 public:
  Instantiation(std::shared_ptr<const FunctionLibrary> library, const FunctionLibrary::Entry& entry,
                const OpRegistry& ops)
      : def_(library->Definition(entry)), signature_(entry.signature) {
    body_.graph = std::make_unique<Graph>(&ops);
    body_.graph->library = std::move(library);
  }

  absl::StatusOr<FunctionBody> Run(const AttrMap& attrs) {
    SLUICE_ASSIGN(bound_, Bind(signature_, attrs));
    SLUICE_RETURN_IF_ERROR(ResolveArgs(signature_, bound_, &inputs_, &outputs_));
    SLUICE_RETURN_IF_ERROR(AddArgs());
    for (const proto::NodeDef& node : def_.node_def()) SLUICE_RETURN_IF_ERROR(AddNode(node));
    for (int i = 0; i < def_.node_def_size(); ++i)
      SLUICE_RETURN_IF_ERROR(AddInputs(def_.node_def(i), nodes_[i]));
    SLUICE_RETURN_IF_ERROR(AddResults());
    auto noinline = def_.attr().find("_noinline");
    body_.noinline = noinline != def_.attr().end() && noinline->second.b();
    body_.name = signature_.name;
    body_.key = Key(body_.name, bound_);
    SLUICE_RETURN_IF_ERROR(Complete(body_));
    return std::move(body_);
  }

 private:
  using Tensors = std::vector<std::pair<Node*, int>>;

  absl::Status AddArgs() {
    for (DType type : inputs_.types) SLUICE_RETURN_IF_ERROR(AddArg(body_, type).status());
    for (size_t i = 0; i < signature_.inputs.size(); ++i)
      args_.emplace(signature_.inputs[i].name, inputs_.ranges[i]);
    return absl::OkStatus();
  }

  absl::Status AddNode(const proto::NodeDef& def) {
    const std::string label = Cat("node \"", def.name(), "\" (", def.op(), ")");
    if (!IsRuntimeName(def.name()))
      return InvalidArgument("\"", def.name(), "\" is not a valid node name");
    if (def.op().empty() || def.op()[0] == '_')
      return InvalidArgument(label, ": op \"", def.op(), "\" is not for clients to use");
    auto attrs = DecodeAttrs(def.attr());
    if (!attrs.ok()) return Annotate(attrs.status(), label);
    if (absl::Status status = Substitute(bound_, *attrs); !status.ok())
      return Annotate(status, label);
    SLUICE_ASSIGN(Node * node,
                  body_.graph->AddNode(def.name(), def.op(), *std::move(attrs), def.device()));
    nodes_.push_back(node);
    const OpDef* op = node->op_def();
    if (op == nullptr) op = body_.graph->library->Find(node->op());
    defs_.push_back(op);
    if (op == nullptr || op == node->op_def()) return absl::OkStatus();
    ArgTypes inputs, outputs;
    if (absl::Status status = ResolveCall(*op, node->attrs, &inputs, &outputs); !status.ok())
      return Annotate(status, node->Label());
    node->input_types = std::move(inputs.types);
    node->output_types = std::move(outputs.types);
    return absl::OkStatus();
  }

  // ---- Names in a body: "arg", "arg:i", "node:out", "node:out:i".

  absl::StatusOr<Tensors> Find(absl::string_view text) {
    const std::vector<absl::string_view> parts = absl::StrSplit(text, ':');
    int index = -1;
    const bool counted = parts.size() > 1 && absl::SimpleAtoi(parts.back(), &index);
    if (counted && index < 0) return Unknown(text);
    Tensors all;
    if (auto arg = args_.find(parts[0]); arg != args_.end() && parts.size() - counted == 1) {
      for (int i = arg->second.begin; i < arg->second.end; ++i) all.emplace_back(body_.args[i], 0);
    } else {
      Node* node = FindNode(parts[0]);
      if (node == nullptr || parts.size() < 2 || parts.size() - counted != 2) return Unknown(text);
      const OpDef* op = defs_[node->id() - body_.args.size()];
      if (op == nullptr) return UnknownOpOutput(node, counted ? index : 0);
      SLUICE_ASSIGN(const ArgRange range, OutputRange(*node, *op, parts[1], text));
      for (int i = range.begin; i < range.end; ++i) all.emplace_back(node, i);
    }
    if (!counted) return all;
    if (index >= static_cast<int>(all.size())) return Unknown(text);
    return Tensors{all[index]};
  }

  // The message is about the definition, not about one of our nodes.
  Node* FindNode(absl::string_view name) const {
    Node* node = body_.graph->Find(name);
    if (node == nullptr) return nullptr;
    const size_t place = node->id() - body_.args.size();  // it wraps around for an _Arg
    return place < nodes_.size() ? node : nullptr;
  }

  absl::Status Unknown(absl::string_view text) const {
    return InvalidArgument("there is no tensor \"", text, "\" in the function");
  }

  absl::StatusOr<Tensors> UnknownOpOutput(Node* node, int index) {
    if (index >= kMaxUnknownOutputs)
      return InvalidArgument(node->Label(), " has no output ", index);
    if (index >= node->num_outputs()) node->output_types.resize(index + 1, kInvalid);
    return Tensors{{node, index}};
  }

  absl::StatusOr<ArgRange> OutputRange(const Node& node, const OpDef& op, absl::string_view name,
                                       absl::string_view text) const {
    const int i = op.OutputIndex(name);
    if (i < 0) return Unknown(text);
    if (node.num_outputs() == static_cast<int>(op.outputs.size())) {  // the usual case
      const ArgDef& arg = op.outputs[i];
      if (arg.number_attr.empty() && arg.type_list_attr.empty() && op.outputs.size() == 1)
        return ArgRange{0, 1};
    }
    ArgTypes inputs, outputs;
    SLUICE_RETURN_IF_ERROR(ResolveCall(op, node.attrs, &inputs, &outputs));
    return outputs.ranges[i];
  }

  // ---- Edges.

  absl::Status AddControlInput(absl::string_view name, Node* node) {
    if (Node* src = FindNode(name); src != nullptr) {
      body_.graph->AddControlEdge(src, node);
      return absl::OkStatus();
    }
    auto arg = args_.find(name);
    if (arg == args_.end())
      return InvalidArgument(node->Label(), ": unknown input \"^", name, "\"");
    for (int i = arg->second.begin; i < arg->second.end; ++i)
      body_.graph->AddControlEdge(body_.args[i], node);
    return absl::OkStatus();
  }

  absl::Status AddInputs(const proto::NodeDef& def, Node* node) {
    const bool untyped = defs_[node->id() - body_.args.size()] == nullptr;
    int next = 0;
    for (const std::string& input : def.input()) {
      if (!input.empty() && input[0] == '^') {
        SLUICE_RETURN_IF_ERROR(AddControlInput(absl::string_view(input).substr(1), node));
        continue;
      }
      auto tensors = Find(input);
      if (!tensors.ok()) return Annotate(tensors.status(), node->Label());
      for (const auto& [src, output] : *tensors) {
        const DType type = src->output_types[output];
        if (untyped) node->input_types.push_back(type);
        if (next >= node->num_inputs() || !Fits(type, node->input_types[next])) {
          return InvalidArgument(node->Label(), ": input \"", input, "\" of type ", type,
                                 " does not fit input ", next, " of ", node->num_inputs());
        }
        body_.graph->AddEdge(src, output, node, next++);
      }
    }
    if (next == node->num_inputs()) return absl::OkStatus();
    return InvalidArgument(node->Label(), ": expected ", node->num_inputs(), " inputs, but has ",
                           next);
  }

  static bool Fits(DType from, DType to) {
    return from == kInvalid || to == kInvalid || from == to ||
           (IsRef(from) && RemoveRef(from) == to);
  }

  absl::Status AddResults() {
    for (size_t i = 0; i < signature_.outputs.size(); ++i) {
      const std::string& name = signature_.outputs[i].name;
      auto ret = def_.ret().find(name);
      if (ret == def_.ret().end()) return InvalidArgument("result \"", name, "\" has no value");
      SLUICE_ASSIGN(const Tensors tensors, Find(ret->second));
      const ArgRange range = outputs_.ranges[i];
      if (static_cast<int>(tensors.size()) != range.size()) {
        return InvalidArgument("result \"", name, "\" is ", range.size(), " tensors, but \"",
                               ret->second, "\" ", tensors.size());
      }
      for (int k = 0; k < range.size(); ++k) {
        const auto& [src, output] = tensors[k];
        const DType type = outputs_.types[range.begin + k];
        if (!Fits(src->output_types[output], type)) {
          return InvalidArgument("result \"", name, "\" is of type ", type, ", but \"", ret->second,
                                 "\" of type ", src->output_types[output]);
        }
        SLUICE_RETURN_IF_ERROR(AddRet(body_, src, output, type));
      }
    }
    for (const auto& [name, node] : def_.control_ret()) {
      Node* found = FindNode(node);
      if (found == nullptr)
        return InvalidArgument("control result \"", name, "\" is the unknown node \"", node, "\"");
      body_.control_rets.push_back(found);
    }
    return absl::OkStatus();
  }

  const proto::FunctionDef& def_;
  const OpDef& signature_;
  AttrMap bound_;
  ArgTypes inputs_, outputs_;
  absl::flat_hash_map<absl::string_view, ArgRange> args_;
  std::vector<Node*> nodes_;        // by their place in the definition
  std::vector<const OpDef*> defs_;  // by the same place; null for an unknown op
  FunctionBody body_;
};

}  // namespace

absl::Status ResolveCall(const OpDef& signature, const AttrMap& attrs, ArgTypes* inputs,
                         ArgTypes* outputs) {
  SLUICE_ASSIGN(const AttrMap bound, Bind(signature, attrs));
  return ResolveArgs(signature, bound, inputs, outputs);
}

absl::StatusOr<Node*> AddArg(FunctionBody& body, DType type) {
  if (IsRef(type)) return InvalidArgument("a function cannot take references");
  const int64_t index = static_cast<int64_t>(body.args.size());
  SLUICE_ASSIGN(Node * arg, body.graph->AddNode(absl::StrCat("_Arg/", index), "_Arg",
                                                {{"T", type}, {"index", index}}));
  body.args.push_back(arg);
  body.arg_types.push_back(type);
  return arg;
}

absl::Status AddRet(FunctionBody& body, Node* src, int output, DType type) {
  if (IsRef(type)) return InvalidArgument("a function cannot return references");
  const int64_t index = static_cast<int64_t>(body.rets.size());
  SLUICE_ASSIGN(Node * ret, body.graph->AddNode(absl::StrCat("_Retval/", index), "_Retval",
                                                {{"T", type}, {"index", index}}));
  body.graph->AddEdge(src, output, ret, 0);
  body.rets.push_back(ret);
  body.ret_types.push_back(type);
  return absl::OkStatus();
}

absl::Status Complete(FunctionBody& body) {
  Graph& graph = *body.graph;
  SLUICE_ASSIGN(body.order, graph.TopologicalOrder());
  for (const Node* node : body.order) {
    if (node->flow() != Flow::kExit && node->flow() != Flow::kNextIteration) continue;
    SLUICE_RETURN_IF_ERROR(AnalyzeFrames(graph, FrameRules::kStructure).status());
    break;
  }
  body.fed.assign(graph.num_ids(), false);
  std::vector<bool> behind(graph.num_ids(), false);  // a Switch or Enter
  std::vector<int> loops(graph.num_ids(), 0);        // around the node
  for (const Node* node : body.order) {
    body.fed[node->id()] = node->kind() == OpKind::kArg;
    for (const Edge* edge : node->in_edges()) {
      const Flow flow = edge->src->flow();
      const int around = loops[edge->src->id()] + (flow == Flow::kEnter) - (flow == Flow::kExit);
      loops[node->id()] = std::max(loops[node->id()], around);
      if (body.fed[edge->src->id()] || around > 0) body.fed[node->id()] = true;
      if (behind[edge->src->id()] || flow == Flow::kSwitch || flow == Flow::kEnter)
        behind[node->id()] = body.has_flow = true;
    }
    if (loops[node->id()] > 0 && node->stateful()) body.state_in_loops = true;
  }
  std::erase_if(body.control_rets, [&](Node* node) { return behind[node->id()]; });
  body.effects.clear();
  for (Node* node : graph.nodes()) {
    const OpDef* op = node->op_def() != nullptr ? node->op_def() : graph.library->Find(node->op());
    const bool acts = op != nullptr && op->stateful && !op->no_side_effect;
    if (acts && !IsArgOrRetval(*node) && !behind[node->id()]) body.effects.push_back(node);
  }
  return absl::OkStatus();
}

absl::StatusOr<FunctionBody> Instantiate(std::shared_ptr<const FunctionLibrary> library,
                                         const OpRegistry& ops, const std::string& name,
                                         const AttrMap& attrs) {
  auto entry = library->functions.find(name);
  if (entry == library->functions.end())
    return NotFound("function \"", name, "\" is not in the graph's library");
  auto body = Instantiation(library, entry->second, ops).Run(attrs);
  if (!body.ok()) return Annotate(body.status(), Cat("function \"", name, "\""));
  return body;
}

}  // namespace sluice::graph
