// SPDX-License-Identifier: Apache-2.0
#include "client/graph.h"

#include <algorithm>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "graph/all_ops.h"
#include "graph/functions.h"
#include "graph/import.h"
#include "graph/infer_attrs.h"
#include "graph/later_attrs.h"
#include "graph/make_function.h"
#include "graph/names.h"
#include "graph/shapes/input_patterns.h"
#include "graph/shapes/rules.h"
#include "proto/graph.pb.h"
#include "proto/graph_debug_info.pb.h"

namespace sluice::client {

namespace {

// The version that TensorFlow 1.15 gives to its graphs.
constexpr int kProducerVersion = 134;

const PartialShape& At(const graph::GraphShapes& shapes, const Output& output) {
  static const auto* const kUnknown = new PartialShape;
  const size_t id = static_cast<size_t>(output.node->id());
  if (id >= shapes.size() || static_cast<size_t>(output.index) >= shapes[id].size()) {
    return *kUnknown;
  }
  return shapes[id][output.index];
}

// A server may know more ops than the client. A client that adds such an op cannot know its
// outputs.
absl::Status CheckOpsAreKnown(const proto::GraphDef& def, const graph::Graph& graph) {
  absl::flat_hash_set<absl::string_view> functions;
  for (const auto& function : def.library().function())
    functions.insert(function.signature().name());
  for (const proto::NodeDef& node : def.node()) {
    const bool known = graph.ops().Find(node.op()) != nullptr || functions.contains(node.op()) ||
                       (graph.library != nullptr && graph.library->Find(node.op()) != nullptr);
    if (!known) {
      return NotFound("node \"", node.name(), "\": Op type not registered '", node.op(),
                      "': no op or function has that name");
    }
  }
  return absl::OkStatus();
}

}  // namespace

Graph::Graph() : graph_(&graph::AllOps()) { graph_.producer_version = kProducerVersion; }

absl::StatusOr<graph::Node*> Graph::AddNode(absl::string_view op, const std::vector<Output>& inputs,
                                            AttrMap attrs, const NodeOptions& options) {
  if (!options.name.empty() && !graph::IsClientName(options.name)) {
    return InvalidArgument("\"", options.name, "\" is not a valid name of a new ", op,
                           ": letters, digits and _.-/ make one, and the first is none of _-/");
  }
  SLUICE_ASSIGN(graph::Node * node, graph::AddNode(graph_, op, inputs, std::move(attrs),
                                                   {options.name, options.device}));
  for (graph::Node* control : options.control_inputs) graph_.AddControlEdge(control, node);
  if (absl::Status status = InferShapes(*node); !status.ok()) {
    graph_.RemoveNode(node);
    return status;
  }
  return node;
}

absl::StatusOr<std::vector<std::optional<GradientOutput>>> Graph::Gradients(
    const std::vector<Output>& ys, const std::vector<Output>& xs,
    const std::vector<std::optional<Output>>& grad_ys, const GradientsOptions& options) {
  graph::GradientOptions more;
  more.scope = options.scope;
  more.shapes = &shapes_;
  more.stop_gradients = options.stop_gradients;
  more.gate = options.gate;
  more.colocate = options.colocate;
  more.frozen_ids = exported_ids_;
  SLUICE_ASSIGN(auto gradients, graph::AddGradients(graph_, ys, xs, grad_ys, more));
  SLUICE_RETURN_IF_ERROR(InferNewShapes());
  return gradients;
}

absl::StatusOr<std::string> Graph::AddFunction(const std::string& name, const Graph& body,
                                               const std::vector<Output>& args,
                                               const std::vector<Output>& rets,
                                               const std::vector<graph::Node*>& control_rets) {
  graph::FunctionSource source{&body.graph_, args, rets, control_rets};
  for (graph::Node* node : body.graph_.nodes()) {
    const bool listed =
        std::find(control_rets.begin(), control_rets.end(), node) != control_rets.end();
    if (node->stateful() && !listed) source.control_rets.push_back(node);
  }
  return graph::AddFunction(graph_, name, source);
}

bool Graph::stateful() const {
  for (const graph::Node* node : graph_.nodes()) {
    if (node->stateful()) return true;
  }
  return false;
}

absl::Status Graph::Import(const std::string& graph_def) {
  proto::GraphDef def;
  if (!def.ParseFromString(graph_def)) return InvalidArgument("not a serialised GraphDef");
  SLUICE_RETURN_IF_ERROR(CheckOpsAreKnown(def, graph_));
  graph::StripLaterAttrs(&def);  // so that functions that are here already have equal definitions
  const int first_id = graph_.num_ids();
  SLUICE_RETURN_IF_ERROR(graph::Import(def, {}, graph_));
  absl::Status status = InferNewShapes();
  if (!status.ok()) {
    graph_.RemoveNodesFrom(first_id);
    ForgetShapesFrom(first_id);
  }
  return status;
}

void Graph::ForgetShapesFrom(int first_id) {
  const size_t size = std::min(shapes_.size(), static_cast<size_t>(first_id));
  shapes_.resize(size);
  holds_.resize(size);
  ints_.resize(size);
}

absl::Status Graph::InferShapes(const graph::Node& node) {
  graph::ShapeContext context(node, graph_.producer_version);
  for (int i = 0; i < node.num_inputs(); ++i) {
    const graph::Edge* edge = node.input(i);
    if (edge == nullptr) continue;
    const Output source = {edge->src, edge->src_output};
    context.inputs[i] = At(shapes_, source);
    context.held[i] = At(holds_, source);
    if (const size_t id = source.node->id(); id < ints_.size()) {
      const size_t index = source.index;
      if (index < ints_[id].size() && ints_[id][index]) context.ints[i] = &*ints_[id][index];
    }
    if (edge->src->kind() == OpKind::kConst) {
      context.constants[i] = edge->src->attrs.find("value")->second.get_if<Tensor>();
    }
  }
  absl::Status status = graph::CheckInputPatterns(context);
  const graph::ShapeFunction function = graph::FindShapeFunction(node.op());
  if (status.ok() && function != nullptr) status = function(context);
  if (!status.ok()) {
    return Annotate(status, absl::StrCat("node \"", node.name(), "\" (", node.op(), ")"));
  }
  if (shapes_.size() <= static_cast<size_t>(node.id())) {
    shapes_.resize(node.id() + 1);
    holds_.resize(node.id() + 1);
    ints_.resize(node.id() + 1);
  }
  ints_[node.id()] = graph::KnownOutputs(context);
  shapes_[node.id()] = std::move(context.outputs);
  holds_[node.id()] = std::move(context.outputs_hold);
  return absl::OkStatus();
}

absl::Status Graph::InferNewShapes() {
  for (int id = static_cast<int>(shapes_.size()); id < graph_.num_ids(); ++id) {
    if (graph_.by_id(id) != nullptr) SLUICE_RETURN_IF_ERROR(InferShapes(*graph_.by_id(id)));
  }
  return absl::OkStatus();
}

const PartialShape& Graph::shape(const Output& output) const { return At(shapes_, output); }

absl::StatusOr<Output> Graph::Find(absl::string_view tensor_name) const {
  SLUICE_ASSIGN(const graph::TensorName name, graph::ParseTensorName(tensor_name));
  graph::Node* node = graph_.Find(name.node);
  if (node == nullptr) return NotFound("the graph has no node \"", name.node, "\"");
  if (name.output < 0 || name.output >= node->num_outputs()) {
    return InvalidArgument("node \"", name.node, "\" has ", node->num_outputs(),
                           " outputs, not one of index ", name.output);
  }
  return Output{node, name.output};
}

void Graph::set_shape(const Output& output, const PartialShape& shape) {
  shapes_[output.node->id()][output.index] = shape;
}

absl::Status Graph::Export(int first_id, proto::GraphDef* def) const {
  SLUICE_RETURN_IF_ERROR(ExportFrom(first_id, def));
  ExportPlaces(first_id, def);
  exported_ids_ = graph_.num_ids();
  return absl::OkStatus();
}

absl::Status Graph::ExportFrom(int first_id, proto::GraphDef* def) const {
  SLUICE_RETURN_IF_ERROR(graph::Export(graph_, def));
  int before = 0;
  for (int id = 0; id < first_id && id < graph_.num_ids(); ++id) {
    before += graph_.by_id(id) != nullptr ? 1 : 0;
  }
  def->mutable_node()->DeleteSubrange(0, before);
  graph::StripLaterAttrs(def);
  return absl::OkStatus();
}

void Graph::SetPlaces(int first_id, const std::vector<int>& of_node,
                      const std::vector<Place>& places) {
  absl::MutexLock lock(&places_mu_);
  const int before = static_cast<int>(places_.size());
  places_.insert(places_.end(), places.begin(), places.end());
  if (place_of_.size() < first_id + of_node.size()) place_of_.resize(first_id + of_node.size(), -1);
  for (size_t i = 0; i < of_node.size(); ++i)
    place_of_[first_id + i] = of_node[i] < 0 ? -1 : before + of_node[i];
}

void Graph::ExportPlaces(int first_id, proto::GraphDef* def) const {
  absl::MutexLock lock(&places_mu_);
  absl::flat_hash_map<absl::string_view, int> files;
  for (int id = first_id; id < static_cast<int>(place_of_.size()); ++id) {
    const graph::Node* node = id < graph_.num_ids() ? graph_.by_id(id) : nullptr;
    if (node == nullptr || place_of_[id] < 0) continue;
    proto::GraphDebugInfo& info = *def->mutable_debug_info();
    const uint64_t trace = place_of_[id];
    (*info.mutable_name_to_trace_id())[node->name()] = trace;
    if (info.traces_by_id().contains(trace)) continue;
    // A trace has one frame: the line that made the node.
    (*info.mutable_traces_by_id())[trace].add_frame_id(trace);
    const Place& place = places_[trace];
    const auto [file, is_new] = files.try_emplace(place.file, info.files_size());
    if (is_new) info.add_files(place.file);
    proto::GraphDebugInfo::FileLineCol& frame = (*info.mutable_frames_by_id())[trace];
    frame.set_file_index(file->second);
    frame.set_line(place.line);
    frame.set_func(place.function);
  }
}

absl::StatusOr<std::string> Graph::Serialize() const {
  proto::GraphDef def;
  SLUICE_RETURN_IF_ERROR(ExportFrom(0, &def));
  return def.SerializeAsString();
}

}  // namespace sluice::client
