// SPDX-License-Identifier: Apache-2.0
#include "graph/infer_attrs.h"

#include <algorithm>

namespace sluice::graph {
namespace {

// An attribute that inputs determine: sets it, or checks that it equals the existing value.
absl::Status SetOrCheck(const OpDef& op, const std::string& name, Attr value, AttrMap& attrs) {
  auto [it, fresh] = attrs.try_emplace(name, value);
  if (fresh || it->second == value) return absl::OkStatus();
  return InvalidArgument("inputs of op ", op.name, " disagree about attribute \"", name,
                         "\": ", it->second.ToString(), " and ", value.ToString());
}

absl::Status CheckCount(const OpDef& op, const ArgDef& arg, size_t next, size_t count,
                        size_t given) {
  if (next + count <= given) return absl::OkStatus();
  return InvalidArgument("op ", op.name, " lacks input \"", arg.name, "\": ", given,
                         " inputs were given");
}

absl::Status CheckInput(const Node& node, int i, const Output& input) {
  const DType want = node.input_types[i];
  const DType have = input.node->output_types[input.index];
  if (RemoveRef(want) == RemoveRef(have) && (!IsRef(want) || IsRef(have))) return absl::OkStatus();
  return InvalidArgument("input ", i, " of ", node.Label(), " must be ", want, ", got ", have,
                         " from \"", input.name(), "\"");
}

}  // namespace

absl::Status InferAttrs(const OpDef& op, absl::Span<const Output> inputs, AttrMap& attrs) {
  // A list without a given length takes all inputs that later arguments leave.
  size_t single = 0;
  for (const ArgDef& arg : op.inputs) {
    single += arg.number_attr.empty() && arg.type_list_attr.empty() ? 1 : 0;
  }
  const size_t rest = inputs.size() - std::min(single, inputs.size());
  size_t next = 0;
  for (const ArgDef& arg : op.inputs) {
    size_t count = 1;
    if (!arg.number_attr.empty()) {
      auto stated = GetAttr<int64_t>(attrs, arg.number_attr);
      count = stated.ok() ? static_cast<size_t>(std::max<int64_t>(0, *stated)) : rest;
      SLUICE_RETURN_IF_ERROR(SetOrCheck(op, arg.number_attr, static_cast<int64_t>(count), attrs));
    } else if (!arg.type_list_attr.empty()) {
      auto stated = GetAttr<std::vector<DType>>(attrs, arg.type_list_attr);
      count = stated.ok() ? stated->size() : rest;
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

absl::StatusOr<Node*> AddNode(Graph& graph, absl::string_view op, absl::Span<const Output> inputs,
                              AttrMap attrs, const NewNode& options) {
  const OpDef* def = graph.ops().Find(op);
  if (def == nullptr) return NotFound("Op type not registered '", op, "'");
  SLUICE_RETURN_IF_ERROR(InferAttrs(*def, inputs, attrs));
  const absl::string_view prefix = options.name.empty() ? op : absl::string_view(options.name);
  SLUICE_ASSIGN(Node * node, graph.AddNode(graph.UniqueName(prefix), std::string(op),
                                           std::move(attrs), options.device));
  absl::Status status;
  if (static_cast<size_t>(node->num_inputs()) != inputs.size()) {
    status = InvalidArgument("op ", op, " takes ", node->num_inputs(), " inputs, ", inputs.size(),
                             " were given");
  }
  for (size_t i = 0; status.ok() && i < inputs.size(); ++i) {
    status = CheckInput(*node, static_cast<int>(i), inputs[i]);
    if (status.ok()) {
      graph.AddEdge(inputs[i].node, inputs[i].index, node, static_cast<int>(i));
    }
  }
  if (!status.ok()) {
    graph.RemoveNode(node);
    return status;
  }
  return node;
}

}  // namespace sluice::graph
