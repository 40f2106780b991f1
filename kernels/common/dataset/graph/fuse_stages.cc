// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/dataset/graph/fuse_stages.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/common/dataset/graph/fused_functions.h"
#include "proto/function.pb.h"

namespace sluice::kernels {
namespace {

using Node = DataSetGraph::Node;
using Source = DataSetGraph::Source;
using Types = std::vector<DType>;
using Shapes = std::vector<PartialShape>;

template <typename T>
T AttrOr(const Node& node, absl::string_view name) {
  return GetAttrOr<T>(node.attrs, name, T());
}

// The tensors that the function of a node captures: inputs 1 to this.
size_t Captures(const Node& node) { return AttrOr<Types>(node, "Targuments").size(); }

bool SameAttr(const Node& a, const Node& b, absl::string_view name) {
  return AttrOr<bool>(a, name) == AttrOr<bool>(b, name);
}

// How many inputs of the graph each node is.
std::vector<int> CountReaders(const DataSetGraph& graph) {
  std::vector<int> readers(graph.nodes.size());
  std::vector<size_t> found = {graph.result};
  readers[graph.result] = 1;
  while (!found.empty()) {
    const Node& node = graph.nodes[found.back()];
    found.pop_back();
    for (const Source& input : node.inputs) {
      const size_t* before = std::get_if<size_t>(&input);
      if (before != nullptr && readers[*before]++ == 0) found.push_back(*before);
    }
  }
  return readers;
}

// `fuse` changes the second node, and perhaps the first, or returns false.
bool FusePairs(DataSetGraph& graph, const std::function<bool(Node& first, Node& second)>& fuse) {
  const std::vector<int> readers = CountReaders(graph);
  bool changed = false;
  // Inputs stand before their readers, so that chains become one node.
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    Node& second = graph.nodes[i];
    if (readers[i] == 0 || second.inputs.empty()) continue;
    const size_t* before = std::get_if<size_t>(&second.inputs[0]);
    if (before == nullptr || readers[*before] != 1) continue;
    changed |= fuse(graph.nodes[*before], second);
  }
  return changed;
}

// Gives a node the input of `first` and the captured tensors of both.
void JoinInputs(const Node& first, const Node& second, Node& node) {
  std::vector<Source> inputs = first.inputs;
  inputs.insert(inputs.end(), second.inputs.begin() + 1, second.inputs.end());
  Types types = AttrOr<Types>(first, "Targuments");
  const Types more = AttrOr<Types>(second, "Targuments");
  types.insert(types.end(), more.begin(), more.end());
  node.inputs = std::move(inputs);
  node.attrs["Targuments"] = std::move(types);
}

bool IsMap(const Node& node) { return node.op == "MapDataset"; }
bool IsFilter(const Node& node) { return node.op == "FilterDataset"; }
bool IsParallelMap(const Node& node) {
  return node.op == "ParallelMapDataset" || node.op == "ParallelMapDatasetV2";
}
bool IsBatch(const Node& node) { return node.op == "BatchDataset" || node.op == "BatchDatasetV2"; }
FunctionRef FunctionOf(const Node& node) {
  return AttrOr<FunctionRef>(node, IsFilter(node) ? "predicate" : "f");
}

void CopyAttr(const Node& from, absl::string_view name, Node& to) {
  const auto found = from.attrs.find(name);
  if (found != from.attrs.end()) to.attrs.insert_or_assign(std::string(name), found->second);
}

Source AsInt64(const Source& number) {
  const Tensor* tensor = std::get_if<Tensor>(&number);
  if (tensor == nullptr || tensor->dtype() != kInt32) return number;
  return Tensor::Scalar<int64_t>(tensor->scalar<int32_t>());
}

}  // namespace

bool FuseMaps(DataSetGraph& graph) {
  FusedFunctions functions(graph);
  return FusePairs(graph, [&](const Node& first, Node& second) {
    if (!IsMap(first) || !IsMap(second)) return false;
    // Else an OUT_OF_RANGE ends the data set in one of them only.
    if (!SameAttr(first, second, "preserve_cardinality")) return false;
    auto fused = functions.Chain(FunctionOf(first), FunctionOf(second));
    if (!fused) return false;
    JoinInputs(first, second, second);
    second.attrs["f"] = *std::move(fused);
    return true;
  });
}

bool FuseFilters(DataSetGraph& graph) {
  FusedFunctions functions(graph);
  return FusePairs(graph, [&](const Node& first, Node& second) {
    if (!IsFilter(first) || !IsFilter(second)) return false;
    auto fused = functions.Both(FunctionOf(first), Captures(first), FunctionOf(second));
    if (!fused) return false;
    JoinInputs(first, second, second);
    second.attrs["predicate"] = *std::move(fused);
    return true;
  });
}

bool FuseMapsAndFilters(DataSetGraph& graph) {
  FusedFunctions functions(graph);
  return FusePairs(graph, [&](Node& first, Node& second) {
    if (!IsMap(first) || !IsFilter(second)) return false;
    auto fused = functions.ChainAndKeep(FunctionOf(first), FunctionOf(second));
    if (!fused) return false;
    JoinInputs(first, second, first);
    first.attrs["f"] = *std::move(fused);
    Types types = AttrOr<Types>(first, "output_types");
    types.push_back(kBool);
    first.attrs["output_types"] = std::move(types);
    Shapes shapes = AttrOr<Shapes>(first, "output_shapes");
    shapes.emplace_back();
    first.attrs["output_shapes"] = std::move(shapes);
    second.op = "FilterByLastComponentDataset";
    second.inputs.resize(1);
    second.attrs.erase("predicate");
    second.attrs.erase("Targuments");
    return true;
  });
}

bool FuseMapsAndBatches(DataSetGraph& graph) {
  return FusePairs(graph, [&](const Node& first, Node& second) {
    const bool parallel = IsParallelMap(first);
    if (!IsBatch(second) || !(parallel || IsMap(first))) return false;
    // The elements of a batch have no order of their own, and are made ahead.
    for (auto attr : {"sloppy", "deterministic", "force_synchronous"}) {
      if (first.attrs.contains(attr)) return false;
    }
    const FunctionRef function = FunctionOf(first);
    const proto::FunctionDef* def = graph.FindFunction(function.name);
    if (!parallel && (def == nullptr || def->signature().is_stateful())) return false;
    Node fused{second.name, "MapAndBatchDataset", {}, first.inputs};
    for (auto attr : {"f", "Targuments", "preserve_cardinality"}) CopyAttr(first, attr, fused);
    for (auto attr : {"output_types", "output_shapes"}) CopyAttr(second, attr, fused);
    const Source calls = parallel ? fused.inputs.back() : Tensor::Scalar<int64_t>(1);
    fused.inputs.resize(1 + Captures(first));
    fused.inputs.push_back(second.inputs[1]);
    fused.inputs.push_back(AsInt64(calls));
    fused.inputs.push_back(second.inputs.size() > 2 ? second.inputs[2] : Tensor::Scalar(false));
    second = std::move(fused);
    return true;
  });
}

}  // namespace sluice::kernels
