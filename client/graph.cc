#include "client/graph.h"

#include <algorithm>

#include "graph/all_ops.h"
#include "graph/import.h"
#include "proto/graph.pb.h"

namespace sluice::client {

std::string Output::name() const { return absl::StrCat(node->name(), ":", index); }
DType Output::dtype() const { return RemoveRef(node->output_types[index]); }

Graph::Graph() : graph_(&graph::AllOps()) {}

namespace {

// An attribute that inputs determine: set, or the same as what is there already.
absl::Status SetOrCheck(const OpDef& op, const std::string& name, Attr value, AttrMap& attrs) {
  auto [it, fresh] = attrs.try_emplace(name, value);
  if (fresh || it->second == value) return absl::OkStatus();
  return InvalidArgument("inputs of op ", op.name, " disagree about attribute \"", name, "\": ", it->second.ToString(), " and ",
                         value.ToString());
}

absl::Status CheckCount(const OpDef& op, const ArgDef& arg, size_t next, size_t count, size_t given) {
  if (next + count <= given) return absl::OkStatus();
  return InvalidArgument("op ", op.name, " lacks input \"", arg.name, "\": ", given, " inputs were given");
}

}  // namespace

absl::Status InferAttrs(const OpDef& op, const std::vector<Output>& inputs, AttrMap& attrs) {
  // A list without a stated length takes what the arguments after it leave.
  size_t single = 0;
  for (const ArgDef& arg : op.inputs) single += arg.number_attr.empty() && arg.type_list_attr.empty() ? 1 : 0;
  size_t next = 0;
  for (const ArgDef& arg : op.inputs) {
    size_t count = 1;
    if (!arg.number_attr.empty()) {
      auto stated = GetAttr<int64_t>(attrs, arg.number_attr);
      count = stated.ok() ? static_cast<size_t>(std::max<int64_t>(0, *stated)) : inputs.size() - std::min(single, inputs.size());
      SLUICE_RETURN_IF_ERROR(SetOrCheck(op, arg.number_attr, static_cast<int64_t>(count), attrs));
    } else if (!arg.type_list_attr.empty()) {
      auto stated = GetAttr<std::vector<DType>>(attrs, arg.type_list_attr);
      count = stated.ok() ? stated->size() : inputs.size() - std::min(single, inputs.size());
      SLUICE_RETURN_IF_ERROR(CheckCount(op, arg, next, count, inputs.size()));
      std::vector<DType> types;
      for (size_t i = 0; i < count; ++i) types.push_back(inputs[next + i].dtype());
      SLUICE_RETURN_IF_ERROR(SetOrCheck(op, arg.type_list_attr, std::move(types), attrs));
    }
    SLUICE_RETURN_IF_ERROR(CheckCount(op, arg, next, count, inputs.size()));
    for (size_t i = 0; i < count && !arg.type_attr.empty(); ++i) {
      SLUICE_RETURN_IF_ERROR(SetOrCheck(op, arg.type_attr, inputs[next + i].dtype(), attrs));
    }
    next += count;
  }
  return absl::OkStatus();
}

absl::StatusOr<graph::Node*> Graph::AddNode(absl::string_view op, const std::vector<Output>& inputs, AttrMap attrs,
                                            const NodeOptions& options) {
  const OpDef* def = graph_.ops().Find(op);
  if (def == nullptr) return NotFound("Op type not registered '", op, "'");
  SLUICE_RETURN_IF_ERROR(InferAttrs(*def, inputs, attrs));
  const std::string name = graph_.UniqueName(options.name.empty() ? op : absl::string_view(options.name));
  SLUICE_ASSIGN(graph::Node * node, graph_.AddNode(name, std::string(op), std::move(attrs), options.device));
  absl::Status status;
  if (static_cast<size_t>(node->num_inputs()) != inputs.size()) {
    status = InvalidArgument("op ", op, " takes ", node->num_inputs(), " inputs, ", inputs.size(), " were given");
  }
  for (size_t i = 0; status.ok() && i < inputs.size(); ++i) {
    const DType want = node->input_types[i];
    const DType have = inputs[i].node->output_types[inputs[i].index];
    if (RemoveRef(want) != RemoveRef(have) || (IsRef(want) && !IsRef(have))) {
      status = InvalidArgument("input ", i, " of node \"", name, "\" (", op, ") must be ", want, ", got ", have, " from \"",
                               inputs[i].name(), "\"");
      break;
    }
    graph_.AddEdge(inputs[i].node, inputs[i].index, node, static_cast<int>(i));
  }
  for (graph::Node* control : options.control_inputs) graph_.AddControlEdge(control, node);
  if (status.ok()) status = InferShapes(*node);
  if (!status.ok()) {
    graph_.RemoveNode(node);
    return status;
  }
  return node;
}

absl::Status Graph::InferShapes(const graph::Node& node) {
  graph::ShapeContext context(node);
  for (int i = 0; i < node.num_inputs(); ++i) {
    const graph::Edge* edge = node.input(i);
    if (edge == nullptr) continue;
    context.inputs[i] = shape({edge->src, edge->src_output});
    if (edge->src->op() == "Const") context.constants[i] = edge->src->attrs.find("value")->second.get_if<Tensor>();
  }
  if (const graph::ShapeFunction function = graph::FindShapeFunction(node.op()); function != nullptr) {
    if (absl::Status status = function(context); !status.ok()) {
      return Annotate(status, absl::StrCat("node \"", node.name(), "\" (", node.op(), ")"));
    }
  }
  if (shapes_.size() <= static_cast<size_t>(node.id())) shapes_.resize(node.id() + 1);
  shapes_[node.id()] = std::move(context.outputs);
  return absl::OkStatus();
}

absl::Status Graph::InferNewShapes() {
  for (int id = static_cast<int>(shapes_.size()); id < graph_.num_ids(); ++id) {
    if (graph_.by_id(id) != nullptr) SLUICE_RETURN_IF_ERROR(InferShapes(*graph_.by_id(id)));
  }
  return absl::OkStatus();
}

const PartialShape& Graph::shape(const Output& output) const {
  static const auto* const kUnknown = new PartialShape;
  const size_t id = static_cast<size_t>(output.node->id());
  if (id >= shapes_.size() || static_cast<size_t>(output.index) >= shapes_[id].size()) return *kUnknown;
  return shapes_[id][output.index];
}

absl::StatusOr<Output> Graph::Find(absl::string_view tensor_name) const {
  SLUICE_ASSIGN(const graph::TensorName name, graph::ParseTensorName(tensor_name));
  graph::Node* node = graph_.Find(name.node);
  if (node == nullptr) return NotFound("the graph has no node \"", name.node, "\"");
  if (name.output < 0 || name.output >= node->num_outputs()) {
    return InvalidArgument("node \"", name.node, "\" has ", node->num_outputs(), " outputs, not one of index ", name.output);
  }
  return Output{node, name.output};
}

void Graph::Export(int first_id, proto::GraphDef* def) const {
  graph::Export(graph_, def);
  int before = 0;
  for (int id = 0; id < first_id && id < graph_.num_ids(); ++id) before += graph_.by_id(id) != nullptr ? 1 : 0;
  def->mutable_node()->DeleteSubrange(0, before);
}

}  // namespace sluice::client
