// SPDX-License-Identifier: Apache-2.0
#include "graph/make_function.h"

#include <algorithm>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "core/codec/codec.h"
#include "core/status.h"
#include "graph/function_body.h"
#include "graph/import.h"
#include "graph/later_attrs.h"
#include "proto/function.pb.h"

namespace sluice::graph {
namespace {

class Writer {
 public:
  Writer(const FunctionSource& source, proto::FunctionDef& def) : source_(source), def_(def) {}

  absl::Status Run() {
    for (size_t i = 0; i < source_.args.size(); ++i) {
      auto& arg = *def_.mutable_signature()->add_input_arg();
      arg.set_name(FreeName(absl::StrCat("arg_", i)));
      arg.set_type(static_cast<proto::DataType>(source_.args[i].dtype()));
      args_[source_.args[i].node] = arg.name();
    }
    for (const Node* node : source_.graph->nodes()) {
      if (!args_.contains(node) && !IsArgOrRetval(*node)) SLUICE_RETURN_IF_ERROR(AddNode(*node));
    }
    for (size_t i = 0; i < source_.rets.size(); ++i) {
      auto& ret = *def_.mutable_signature()->add_output_arg();
      ret.set_name(absl::StrCat("ret_", i));
      ret.set_type(static_cast<proto::DataType>(source_.rets[i].dtype()));
      SLUICE_ASSIGN((*def_.mutable_ret())[ret.name()], NameOf(source_.rets[i]));
    }
    for (const Node* node : source_.control_rets) {
      (*def_.mutable_control_ret())[node->name()] = node->name();
      def_.mutable_signature()->add_control_output(node->name());
    }
    return absl::OkStatus();
  }

 private:
  std::string FreeName(std::string name) const {
    while (source_.graph->Find(name) != nullptr) name += "_";
    return name;
  }

  absl::Status AddNode(const Node& node) {
    proto::NodeDef& def = *def_.add_node_def();
    def.set_name(node.name());
    def.set_op(node.op());
    def.set_device(node.requested_device);
    for (int i = 0; i < node.num_inputs(); ++i) {
      const Edge* edge = node.input(i);
      if (edge == nullptr) return InvalidArgument(node.Label(), " lacks input ", i);
      SLUICE_ASSIGN(std::string name, NameOf({edge->src, edge->src_output}));
      def.add_input(std::move(name));
    }
    const int data = def.input_size();
    for (const Edge* edge : node.in_edges()) {
      if (edge->control() && !args_.contains(edge->src))
        def.add_input(absl::StrCat("^", edge->src->name()));
    }
    std::sort(def.mutable_input()->begin() + data, def.mutable_input()->end());
    const OpDef* op = OpOf(node);
    if (op != nullptr && op->stateful) def_.mutable_signature()->set_is_stateful(true);
    return Annotate(EncodeAttrs(node.attrs, def.mutable_attr()), node.Label());
  }

  const OpDef* OpOf(const Node& node) const {
    if (node.op_def() != nullptr || source_.graph->library == nullptr) return node.op_def();
    return source_.graph->library->Find(node.op());
  }

  // "arg", "node:out:i".
  absl::StatusOr<std::string> NameOf(const Output& output) const {
    if (auto arg = args_.find(output.node); arg != args_.end()) return arg->second;
    const OpDef* op = OpOf(*output.node);
    if (op == nullptr)
      return InvalidArgument(output.node->Label(), ": its op is unknown, and so are its outputs");
    ArgTypes inputs, outputs;
    SLUICE_RETURN_IF_ERROR(ResolveCall(*op, output.node->attrs, &inputs, &outputs));
    for (size_t i = 0; i < outputs.ranges.size(); ++i) {
      const ArgRange& range = outputs.ranges[i];
      if (output.index < range.begin || output.index >= range.end) continue;
      return absl::StrCat(output.node->name(), ":", op->outputs[i].name, ":",
                          output.index - range.begin);
    }
    return InvalidArgument(output.node->Label(), " has no output ", output.index);
  }

  const FunctionSource& source_;
  proto::FunctionDef& def_;
  absl::flat_hash_map<const Node*, std::string> args_;
};

}  // namespace

absl::StatusOr<std::string> AddFunction(Graph& graph, const std::string& name,
                                        const FunctionSource& source) {
  auto taken = [&](const std::string& n) {
    return graph.ops().Find(n) != nullptr ||
           (graph.library != nullptr && graph.library->Find(n) != nullptr);
  };
  std::string unique = name;
  for (int i = 1; taken(unique); ++i) unique = absl::StrCat(name, "_", i);
  proto::FunctionDefLibrary added;
  proto::FunctionDef& def = *added.add_function();
  def.mutable_signature()->set_name(unique);
  if (absl::Status status = Writer(source, def).Run(); !status.ok())
    return Annotate(status, Cat("function \"", unique, "\""));
  StripLaterAttrs(&def);  // as in the graph that a client exports, and perhaps imports again
  // Functions that the body calls may be known only to its graph.
  if (source.graph->library != nullptr && source.graph->library != graph.library) {
    SLUICE_ASSIGN(graph.library, ExtendLibrary(graph.library, *source.graph->library->def));
  }
  SLUICE_ASSIGN(graph.library, ExtendLibrary(graph.library, added));
  return unique;
}

namespace {

// Puts the index-th node of a list in its place.
template <typename T>
absl::Status PutAt(const Node& node, T value, std::vector<T>& list) {
  const auto index = static_cast<size_t>(GetAttrOr<int64_t>(node.attrs, "index", 0));
  if (index >= list.size() || list[index].node != nullptr)
    return InvalidArgument(node.Label(), " has the index ", index, " of ", list.size());
  list[index] = value;
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<GraphFunction> FunctionOf(const proto::GraphDef& def, const OpRegistry& ops) {
  Graph graph(&ops);
  ImportOptions options;
  options.from_client = false;  // the nodes below are the runtime's
  SLUICE_RETURN_IF_ERROR(Import(def, options, graph));
  size_t args = 0, rets = 0;
  for (const Node* node : graph.nodes()) {
    args += node->kind() == OpKind::kArg;
    rets += node->kind() == OpKind::kRetval;
    if (!IsArgOrRetval(*node) && node->op()[0] == '_')
      return InvalidArgument(node->Label(), " is an op of the runtime");
  }
  FunctionSource source{&graph, std::vector<Output>(args), std::vector<Output>(rets), {}};
  for (Node* node : graph.nodes()) {
    if (node->kind() == OpKind::kArg) {
      SLUICE_RETURN_IF_ERROR(PutAt(*node, Output{node, 0}, source.args));
    } else if (node->kind() == OpKind::kRetval) {
      const Edge* input = node->input(0);
      if (input == nullptr) return InvalidArgument(node->Label(), " has no input");
      SLUICE_RETURN_IF_ERROR(PutAt(*node, Output{input->src, input->src_output}, source.rets));
    }
  }
  GraphFunction made;
  SLUICE_ASSIGN(made.name, AddFunction(graph, "graph", source));
  made.library = graph.library;
  return made;
}

}  // namespace sluice::graph
