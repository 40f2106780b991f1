// SPDX-License-Identifier: Apache-2.0
#include "graph/argument_memory.h"

#include <memory>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "core/runtime/argument_memory.h"

namespace sluice::graph {
namespace {

class ArgumentMemory {
 public:
  explicit ArgumentMemory(const std::vector<PlaceableDevice>& devices) {
    for (const PlaceableDevice& device : devices) {
      if (HasOwnMemory(device.type)) devices_.try_emplace(device.name, device.type, device.kernels);
    }
  }

  bool empty() const { return devices_.empty(); }

  bool InputOnHost(const Node& node, int input) { return At(Of(node).inputs, input); }
  bool OutputOnHost(const Node& node, int output) { return At(Of(node).outputs, output); }

  // Nodes in order, so that a long chain of Identities needs no recursion.
  void Visit(absl::Span<Node* const> nodes) {
    for (const Node* node : nodes) Of(*node);
  }

  void SplitConstants(Graph& graph) {
    for (Node* node : graph.nodes()) {
      if (node->kind() != OpKind::kConst || !devices_.contains(node->device)) continue;
      std::vector<Edge*> on_host;
      size_t data_edges = 0;
      for (Edge* edge : node->out_edges()) {
        if (edge->control()) continue;
        ++data_edges;
        if (edge->dst->device != node->device || InputOnHost(*edge->dst, edge->dst_input))
          on_host.push_back(edge);
      }
      if (on_host.empty() && data_edges > 0) continue;
      Node* host = on_host.size() == data_edges ? node : CopyOf(*node, graph);
      host->attrs[kOnHostAttr] = true;
      found_.erase(host);
      if (host == node) continue;
      for (Edge* edge : on_host) {
        const Edge old = *edge;
        graph.RemoveEdge(edge);
        graph.AddEdge(host, old.src_output, old.dst, old.dst_input);
      }
    }
  }

 private:
  struct Kernels {
    Kernels(absl::string_view type, const KernelTable* table) : type(type), table(table) {}
    std::string type;
    const KernelTable* table;
  };

  static bool At(const std::vector<uint8_t>& on_host, int i) {
    return i < static_cast<int>(on_host.size()) && on_host[static_cast<size_t>(i)] != 0;
  }

  static Node* CopyOf(const Node& node, Graph& graph) {
    Node* copy = graph.AddCopy(node, graph.UniqueName(absl::StrCat(node.name(), "/_host")));
    copy->device = node.device;
    for (const Edge* edge : node.in_edges()) graph.AddControlEdge(edge->src, copy);
    return copy;
  }

  const ArgumentsOnHost& Of(const Node& node) {
    if (auto it = found_.find(&node); it != found_.end()) return it->second;
    ArgumentsOnHost found = Find(node);
    return found_.insert_or_assign(&node, std::move(found)).first->second;
  }

  ArgumentsOnHost Find(const Node& node) {
    const auto device = devices_.find(node.device);
    if (device == devices_.end()) return {};  // host memory is the device's memory
    switch (node.kind()) {
      case OpKind::kConst:
        return {{}, {node.attrs.contains(kOnHostAttr)}};
      case OpKind::kIdentity:
      case OpKind::kForward:
      case OpKind::kEnter:
      case OpKind::kExit:
        return All(node, InputMemory(node, 0));
      case OpKind::kIdentityN: {
        ArgumentsOnHost found = All(node, false);
        for (int i = 0; i < node.num_inputs(); ++i)
          found.inputs[i] = found.outputs[i] = InputMemory(node, i) ? 1 : 0;
        return found;
      }
      case OpKind::kNextIteration:
        return All(node, LoopMemory(node));
      case OpKind::kLoopCond:
        return All(node, true);
      case OpKind::kSwitch: {
        ArgumentsOnHost found = All(node, InputMemory(node, 0));
        if (found.inputs.size() > 1) found.inputs[1] = 1;  // pred
        return found;
      }
      case OpKind::kMerge: {
        ArgumentsOnHost found = All(node, InputMemory(node, EntryOf(node)));
        if (found.outputs.size() > 1) found.outputs[1] = 1;  // value_index
        return found;
      }
      default:
        return OfKernel(node, device->second);
    }
  }

  static ArgumentsOnHost OfKernel(const Node& node, const Kernels& kernels) {
    const KernelSignature* kernel = nullptr;
    if (kernels.table != nullptr) {
      const int index = kernels.table->Find(node.op(), kernels.type, node.attrs);
      if (index >= 0) kernel = &kernels.table->at(index);
    }
    return FindArgumentsOnHost(node.op_def(), node.attrs, node.input_types, node.output_types,
                               kernel);
  }

  static ArgumentsOnHost All(const Node& node, bool on_host) {
    const uint8_t value = on_host ? 1 : 0;
    return {std::vector<uint8_t>(static_cast<size_t>(node.num_inputs()), value),
            std::vector<uint8_t>(static_cast<size_t>(node.num_outputs()), value)};
  }

  // The memory in which the input's value is made. A Const is in both, and a value from another
  // device arrives in either: the dtype decides.
  bool InputMemory(const Node& node, int input) {
    const Edge* edge = node.input(input);
    const DType type = input < node.num_inputs() ? node.input_types[input] : kFloat;
    if (edge == nullptr || edge->src->device != node.device || edge->src->kind() == OpKind::kConst)
      return LivesOnHost(type);
    return OutputOnHost(*edge->src, edge->src_output);
  }

  // The input of a Merge by which a loop is entered, or the first input.
  static int EntryOf(const Node& merge) {
    for (int i = 0; i < merge.num_inputs(); ++i) {
      const Edge* edge = merge.input(i);
      if (edge != nullptr && !IsBackEdge(*edge)) return i;
    }
    return 0;
  }

  // The value of a NextIteration is in the memory of its loop variable's Merge, so that a change of
  // memory is inside the iteration.
  bool LoopMemory(const Node& next_iteration) {
    for (const Edge* edge : next_iteration.out_edges()) {
      if (!edge->control() && edge->dst->kind() == OpKind::kMerge)
        return OutputOnHost(*edge->dst, 0);
    }
    return InputMemory(next_iteration, 0);
  }

  absl::flat_hash_map<std::string, Kernels> devices_;  // devices with their own memory
  absl::flat_hash_map<const Node*, ArgumentsOnHost> found_;
};

}  // namespace

absl::StatusOr<PartitionOptions> FindArgumentMemory(Graph& graph,
                                                    const std::vector<PlaceableDevice>& devices) {
  auto memory = std::make_shared<ArgumentMemory>(devices);
  if (memory->empty()) return PartitionOptions();
  SLUICE_ASSIGN(const std::vector<Node*> order, graph.TopologicalOrder());
  memory->Visit(order);
  memory->SplitConstants(graph);
  PartitionOptions options;
  options.host_input = [memory](const Node& node, int i) { return memory->InputOnHost(node, i); };
  options.host_output = [memory](const Node& node, int i) { return memory->OutputOnHost(node, i); };
  return options;
}

}  // namespace sluice::graph
