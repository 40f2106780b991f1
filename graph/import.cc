// SPDX-License-Identifier: Apache-2.0
#include "graph/import.h"

#include <utility>

#include "absl/algorithm/container.h"
#include "absl/cleanup/cleanup.h"
#include "absl/strings/match.h"
#include "core/codec/codec.h"
#include "core/device_name.h"
#include "graph/frames.h"
#include "graph/functions.h"
#include "graph/names.h"
#include "proto/graph.pb.h"

namespace sluice::graph {
namespace {

constexpr absl::string_view kTryAllOutputs =
    " Try using tf.compat.v1.experimental.output_all_intermediates(True).";

bool CallsFunctions(const Node& node) {
  return absl::c_any_of(node.attrs,
                        [](const auto& attr) { return attr.second.template is<FunctionRef>(); });
}

// As a consumer, we are newer than any producer: only a graph that requires a later version is
// refused.
constexpr int32_t kConsumerVersion = 1 << 30;

class Importer {
 public:
  Importer(const proto::GraphDef& def, const ImportOptions& options, Graph& graph)
      : def_(def), options_(options), graph_(graph), first_id_(graph.num_ids()) {}

  absl::Status Run() {
    absl::Cleanup undo = [this] { Undo(); };
    SLUICE_RETURN_IF_ERROR(CheckVersions());
    if (def_.node_size() > options_.max_nodes - graph_.num_nodes()) {
      return ResourceExhausted("the graph would have more than ", options_.max_nodes, " nodes");
    }
    SLUICE_ASSIGN(auto library, ExtendLibrary(graph_.library, def_.library()));
    std::swap(library, graph_.library);
    old_library_ = std::move(library);
    library_changed_ = true;
    for (const proto::NodeDef& node : def_.node()) SLUICE_RETURN_IF_ERROR(AddNode(node));
    for (int i = 0; i < def_.node_size(); ++i)
      SLUICE_RETURN_IF_ERROR(AddInputs(def_.node(i), graph_.by_id(first_id_ + i)));
    SLUICE_RETURN_IF_ERROR(CheckStructure());
    std::move(undo).Cancel();
    TakeVersions();
    return absl::OkStatus();
  }

 private:
  void Undo() {
    graph_.RemoveNodesFrom(first_id_);
    for (auto it = grown_.rbegin(); it != grown_.rend(); ++it)
      it->first->output_types.resize(it->second);
    if (library_changed_) graph_.library = std::move(old_library_);
  }

  // ---- Versions.

  absl::Status CheckVersions() const {
    const proto::VersionDef& versions = def_.versions();
    if (versions.min_consumer() > kConsumerVersion) {
      return InvalidArgument("the graph needs a consumer of version ", versions.min_consumer(),
                             " or later");
    }
    if (absl::c_linear_search(versions.bad_consumers(), kConsumerVersion)) {
      return InvalidArgument("the graph refuses consumers of version ", kConsumerVersion);
    }
    if (graph_.num_nodes() > 0 && def_.node_size() > 0 &&
        versions.producer() != graph_.producer_version) {
      return InvalidArgument("the nodes added come from version ", versions.producer(),
                             " of the producer, but the graph from ", graph_.producer_version);
    }
    return absl::OkStatus();
  }

  void TakeVersions() {
    const proto::VersionDef& versions = def_.versions();
    if (def_.node_size() > 0 || graph_.num_nodes() == 0)
      graph_.producer_version = versions.producer();
    graph_.min_consumer = std::max(graph_.min_consumer, versions.min_consumer());
    for (int32_t bad : versions.bad_consumers()) {
      if (!absl::c_linear_search(graph_.bad_consumers, bad)) graph_.bad_consumers.push_back(bad);
    }
  }

  // ---- Nodes.

  static std::string Label(const proto::NodeDef& def) {
    return Cat("node \"", def.name(), "\" (", def.op(), ")");
  }

  absl::Status AddNode(const proto::NodeDef& def) {
    if (!(options_.from_client ? IsClientName(def.name()) : IsRuntimeName(def.name()))) {
      return InvalidArgument("\"", def.name(), "\" is not a valid node name: Illegal op name");
    }
    if (def.op().empty() || (options_.from_client && def.op()[0] == '_')) {
      return InvalidArgument(Label(def), ": op \"", def.op(), "\" is not for clients to use");
    }
    if (graph_.Find(def.name()) != nullptr)
      return InvalidArgument(Label(def), ": Duplicate node name in graph");
    if (auto device = DeviceName::Parse(def.device()); !device.ok())
      return Annotate(device.status(), Label(def));
    auto attrs = DecodeAttrs(def.attr());
    if (!attrs.ok()) return Annotate(attrs.status(), Label(def));
    const OpDef* op = graph_.ops().Find(def.op());
    SLUICE_RETURN_IF_ERROR(CheckAttrs(def, op, *attrs));
    SLUICE_ASSIGN(Node * node,
                  graph_.AddNode(def.name(), def.op(), *std::move(attrs), def.device()));
    if (node->op_def() == nullptr) return AddUnknown(node);
    if (options_.from_client && node->flow() == Flow::kMerge && node->num_inputs() < 2) {
      return InvalidArgument(node->Label(), " must have at least two inputs to choose from");
    }
    return absl::OkStatus();
  }

  // Properties that op definitions do not have.
  static absl::Status CheckAttrs(const proto::NodeDef& def, const OpDef* op, const AttrMap& attrs) {
    for (const auto& [name, attr] : attrs) {
      if (attr.is<AttrPlaceholder>())
        return InvalidArgument(Label(def), ": attribute \"", name, "\" has no value");
    }
    if (auto it = attrs.find("_class"); it != attrs.end()) {
      if (!it->second.is<std::vector<std::string>>() && !it->second.is<EmptyList>()) {
        return InvalidArgument(Label(def), ": attribute \"_class\" must be a list of strings");
      }
    }
    if (op != nullptr && op->kind == OpKind::kConst) {
      auto dtype = attrs.find("dtype"), value = attrs.find("value");
      if (dtype == attrs.end() || value == attrs.end())
        return absl::OkStatus();  // the op's definition has them
      const DType* type = dtype->second.get_if<DType>();
      const Tensor* tensor = value->second.get_if<Tensor>();
      if (type != nullptr && tensor != nullptr && *type != tensor->dtype()) {
        return InvalidArgument(Label(def), ": the value has type ", tensor->dtype(),
                               ", but dtype is ", *type);
      }
    }
    return absl::OkStatus();
  }

  // A function of the library has a signature. For other ops nothing is known before they have
  // inputs and consumers.
  absl::Status AddUnknown(Node* node) {
    const OpDef* signature = graph_.library == nullptr ? nullptr : graph_.library->Find(node->op());
    if (signature == nullptr) return absl::OkStatus();
    ArgTypes inputs, outputs;
    AttrMap attrs = node->attrs;
    absl::Status status = CheckAndCompleteAttrs(*signature, attrs);
    if (status.ok()) status = ResolveArgs(*signature, attrs, &inputs, &outputs);
    if (!status.ok()) return Annotate(status, node->Label());
    node->attrs = std::move(attrs);
    node->input_types = std::move(inputs.types);
    node->output_types = std::move(outputs.types);
    return absl::OkStatus();
  }

  // True for an op whose inputs and outputs are determined by the graph.
  bool Untyped(const Node& node) const {
    return node.op_def() == nullptr &&
           (graph_.library == nullptr || graph_.library->Find(node.op()) == nullptr);
  }

  // ---- Edges.

  absl::Status AddInputs(const proto::NodeDef& def, Node* node) {
    int data = 0;
    bool control = false;
    for (const std::string& input : def.input()) {
      SLUICE_ASSIGN(TensorName name, ParseInput(input, *node));
      Node* src = graph_.Find(name.node);
      if (src == nullptr)
        return InvalidArgument(node->Label(), ": unknown input node \"", input, "\"");
      if (name.output == kControl) {
        control = true;
        graph_.AddControlEdge(src, node);
        continue;
      }
      if (control)
        return InvalidArgument(node->Label(),
                               ": control inputs must come after the data inputs, before \"", input,
                               "\"");
      SLUICE_RETURN_IF_ERROR(AddInput(src, name.output, node, data++, input));
    }
    if (data == node->num_inputs()) return absl::OkStatus();
    return InvalidArgument(node->Label(), ": expected ", node->num_inputs(), " inputs, but has ",
                           data);
  }

  absl::StatusOr<TensorName> ParseInput(const std::string& input, const Node& node) const {
    auto name = ParseTensorName(input);
    if (!name.ok()) return Annotate(name.status(), node.Label());
    const size_t number = input.rfind(':');
    const bool leading_zero = name->output != kControl && number != std::string::npos &&
                              input.size() > number + 2 && input[number + 1] == '0';
    if (leading_zero || (options_.from_client && !IsClientName(name->node))) {
      return InvalidArgument(node.Label(), ": \"", input, "\" is not a valid input");
    }
    return name;
  }

  absl::Status AddInput(Node* src, int output, Node* node, int index, const std::string& text) {
    if (Untyped(*src) && output >= src->num_outputs() && output < kMaxUnknownOutputs) {
      if (src->id() < first_id_) grown_.emplace_back(src, src->num_outputs());
      src->output_types.resize(output + 1, kInvalid);
    }
    if (output >= src->num_outputs()) {
      // The client adds the outputs that a gradient needs to an If or While, too late for one that
      // it sent. That one may be lowered to other ops by now; its gradient is not.
      const bool grows = CallsFunctions(*src) || CallsFunctions(*node);
      return InvalidArgument(node->Label(), ": input \"", text, "\": Connecting to invalid output ",
                             output, " of source node ", src->name(), " which has ",
                             src->num_outputs(), " outputs.", grows ? kTryAllOutputs : "");
    }
    const DType type = src->output_types[output];
    if (Untyped(*node)) {
      node->input_types.push_back(type);
    } else if (index >= node->num_inputs()) {
      return InvalidArgument(node->Label(), ": expected ", node->num_inputs(),
                             " inputs, but has more: \"", text, "\"");
    } else if (!Fits(type, node->input_types[index])) {
      return InvalidArgument(node->Label(), ": input ", index, " was passed ", type, " from ",
                             src->name(), ":", output, " incompatible with expected ",
                             node->input_types[index]);
    }
    graph_.AddEdge(src, output, node, index);
    return absl::OkStatus();
  }

  // A reference may be read as a value, but a value cannot be written to.
  static bool Fits(DType from, DType to) {
    return from == kInvalid || to == kInvalid || from == to ||
           (IsRef(from) && RemoveRef(from) == to);
  }

  // ---- The whole.

  absl::Status CheckStructure() const {
    SLUICE_RETURN_IF_ERROR(graph_.TopologicalOrder(first_id_).status());
    for (int id = first_id_; id < graph_.num_ids(); ++id) {
      const Flow flow = graph_.by_id(id)->flow();
      if (flow == Flow::kExit || flow == Flow::kNextIteration)
        return AnalyzeFrames(graph_, FrameRules::kStructure).status();
    }
    return absl::OkStatus();
  }

  const proto::GraphDef& def_;
  const ImportOptions& options_;
  Graph& graph_;
  const int first_id_;
  std::vector<std::pair<Node*, int>>
      grown_;  // earlier nodes that got more outputs, with their previous number
  std::shared_ptr<const FunctionLibrary> old_library_;
  bool library_changed_ = false;
};

}  // namespace

absl::Status Import(const proto::GraphDef& def, const ImportOptions& options, Graph& graph) {
  return Importer(def, options, graph).Run();
}

}  // namespace sluice::graph
