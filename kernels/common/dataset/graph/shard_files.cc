// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/dataset/graph/shard_files.h"

#include <string>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/strip.h"
#include "core/codec/codec.h"
#include "proto/function.pb.h"

namespace sluice::kernels {
namespace {

using Source = DataSetGraph::Source;
using Node = DataSetGraph::Node;

bool ReadsFiles(absl::string_view op) {
  return op == "TFRecordDataset" || op == "TFRecordDatasetV2" || op == "TextLineDataset" ||
         op == "FixedLengthRecordDataset" || op == "FixedLengthRecordDatasetV2";
}
bool MakesDataSets(absl::string_view op) {
  return op == "FlatMapDataset" || absl::StrContains(op, "InterleaveDataset");
}
bool Shuffles(absl::string_view op) { return absl::StartsWith(op, "ShuffleDataset"); }
// The elements of these come from memory or from the program.
bool IsOtherSource(absl::string_view op) {
  return op == "RangeDataset" || op == "TensorDataset" || op == "TensorSliceDataset" ||
         op == "GeneratorDataset" || op == "SparseTensorSliceDataset";
}

class FileSharding {
 public:
  FileSharding(DataSetGraph& graph, int64_t workers, int64_t index)
      : graph_(graph), workers_(workers), index_(index) {}

  // Selects the files behind the node.
  absl::Status Visit(size_t node) {
    if (!visited_.insert(node).second) return absl::OkStatus();
    const std::string op = graph_.nodes[node].op;
    if (ReadsFiles(op)) return SelectPaths(graph_.nodes[node].inputs[0]);
    if (MakesDataSets(op) && FunctionReadsFiles(graph_.nodes[node])) return SelectBefore(node);
    bool any = false;
    if (!IsOtherSource(op)) {
      for (size_t i = 0; i < graph_.nodes[node].inputs.size(); ++i) {
        const size_t* before = std::get_if<size_t>(&graph_.nodes[node].inputs[i]);
        if (before == nullptr) continue;
        SLUICE_RETURN_IF_ERROR(Visit(*before));
        any = true;
      }
    }
    if (any) return absl::OkStatus();
    return NotFound("Found an unshardable source dataset: ", op);
  }

 private:
  bool FunctionReadsFiles(const Node& node) {
    const auto f = node.attrs.find("f");
    const FunctionRef* function = f == node.attrs.end() ? nullptr : f->second.get_if<FunctionRef>();
    absl::flat_hash_set<std::string> seen;
    return function != nullptr && ReadsFilesIn(function->name, seen);
  }
  bool ReadsFilesIn(const std::string& name, absl::flat_hash_set<std::string>& seen) {
    if (!seen.insert(name).second) return false;
    const proto::FunctionDef* def = graph_.FindFunction(name);
    if (def == nullptr) return false;
    for (const proto::NodeDef& node : def->node_def()) {
      if (ReadsFiles(node.op()) || ReadsFilesIn(node.op(), seen)) return true;
      for (const auto& [key, value] : node.attr()) {
        if (value.has_func() && ReadsFilesIn(value.func().name(), seen)) return true;
      }
    }
    return false;
  }

  // Every path whose number is the worker's.
  absl::Status SelectPaths(Source& paths) const {
    const Tensor* tensor = std::get_if<Tensor>(&paths);
    if (tensor == nullptr || tensor->dtype() != kString) {
      return NotFound("Found an unshardable source dataset: the paths are not strings");
    }
    const auto all = tensor->flat<std::string>();
    if (static_cast<int64_t>(all.size()) < workers_) {
      return InvalidArgument("there are ", all.size(), " files for ", workers_, " workers");
    }
    std::vector<std::string> own;
    for (auto i = static_cast<size_t>(index_); i < all.size(); i += static_cast<size_t>(workers_))
      own.push_back(all[i]);
    paths = Tensor::Vector<std::string>(own);
    return absl::OkStatus();
  }

  // Adds a selection before a node. The shuffles of its input are taken out,
  // and come after it.
  absl::Status SelectBefore(size_t reader) {
    std::vector<size_t> shuffles;
    size_t* link = std::get_if<size_t>(&graph_.nodes[reader].inputs[0]);
    if (link == nullptr) return NotFound("Found an unshardable source dataset: it has no graph");
    while (link != nullptr) {
      Node& node = graph_.nodes[*link];
      size_t* before = node.inputs.empty() ? nullptr : std::get_if<size_t>(&node.inputs[0]);
      if (Shuffles(node.op) && before != nullptr) {
        shuffles.push_back(*link);
        *link = *before;
      } else {
        link = before;
      }
    }
    size_t source = AddShard(std::get<size_t>(graph_.nodes[reader].inputs[0]));
    for (auto shuffle = shuffles.rbegin(); shuffle != shuffles.rend(); ++shuffle) {
      Node moved = graph_.nodes[*shuffle];
      moved.inputs[0] = source;
      CopySpec(source, moved);
      graph_.nodes.push_back(std::move(moved));
      source = graph_.nodes.size() - 1;
    }
    graph_.nodes[reader].inputs[0] = source;
    return absl::OkStatus();
  }
  size_t AddShard(size_t input) {
    Node shard{"", "ShardDataset", {{"require_non_empty", true}}, {}};
    CopySpec(input, shard);
    shard.inputs = {input, Tensor::Scalar<int64_t>(workers_), Tensor::Scalar<int64_t>(index_)};
    graph_.nodes.push_back(std::move(shard));
    return graph_.nodes.size() - 1;
  }
  // The types and shapes of the elements.
  void CopySpec(size_t from, Node& to) const {
    const AttrMap& attrs = graph_.nodes[from].attrs;
    const auto types =
        attrs.find(attrs.contains("output_types") ? "output_types" : "Toutput_types");
    if (types != attrs.end()) to.attrs.insert_or_assign("output_types", types->second);
    if (const auto shapes = attrs.find("output_shapes"); shapes != attrs.end())
      to.attrs.insert_or_assign("output_shapes", shapes->second);
  }

  DataSetGraph& graph_;
  const int64_t workers_, index_;
  absl::flat_hash_set<size_t> visited_;
};

}  // namespace

absl::Status ShardFiles(DataSetGraph& graph, int64_t workers, int64_t index) {
  return FileSharding(graph, workers, index).Visit(graph.result);
}

}  // namespace sluice::kernels
