// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/dataset/graph/rewrite.h"

#include <optional>
#include <string>
#include <utility>

#include "kernels/common/dataset/graph/fuse_stages.h"
#include "proto/function.pb.h"

namespace sluice::kernels {
namespace {

using Node = DataSetGraph::Node;
using Source = DataSetGraph::Source;

// The value of a tensor that is a scalar integer.
std::optional<int64_t> ScalarOf(const Source& source) {
  const Tensor* tensor = std::get_if<Tensor>(&source);
  if (tensor == nullptr || tensor->rank() != 0) return std::nullopt;
  if (tensor->dtype() == kInt64) return tensor->scalar<int64_t>();
  if (tensor->dtype() == kInt32) return tensor->scalar<int32_t>();
  return std::nullopt;
}

// Whether a node gives the elements of its input, in their order.
bool IsNoop(const Node& node) {
  if (node.inputs.size() < 2) return false;
  const std::optional<int64_t> count = ScalarOf(node.inputs[1]);
  if (!count) return false;
  if (node.op == "RepeatDataset") return *count == 1;
  if (node.op == "TakeDataset") return *count < 0;
  if (node.op == "SkipDataset" || node.op == "PrefetchDataset") return *count == 0;
  return false;
}

class Rewriter {
 public:
  Rewriter(const GraphRewrites& rewrites, DataSetGraph& graph)
      : rewrites_(rewrites), graph_(graph) {}

  bool Run() {
    bool changed = rewrites_.noop_elimination && RemoveNoops();
    changed |= rewrites_.map_fusion && FuseMaps(graph_);
    changed |= rewrites_.filter_fusion && FuseFilters(graph_);
    changed |= rewrites_.map_and_filter_fusion && FuseMapsAndFilters(graph_);
    for (Node& node : graph_.nodes) changed |= rewrites_.map_parallelization && MakeParallel(node);
    changed |= rewrites_.map_and_batch_fusion && FuseMapsAndBatches(graph_);
    return changed;
  }

 private:
  bool RemoveNoops() {
    bool changed = false;
    const auto skip = [&](size_t index) {
      while (IsNoop(graph_.nodes[index])) {
        const size_t* before = std::get_if<size_t>(&graph_.nodes[index].inputs[0]);
        if (before == nullptr) break;
        index = *before;
        changed = true;
      }
      return index;
    };
    for (Node& node : graph_.nodes) {
      for (Source& input : node.inputs) {
        if (size_t* before = std::get_if<size_t>(&input)) *before = skip(*before);
      }
    }
    graph_.result = skip(graph_.result);
    return changed;
  }

  bool MakeParallel(Node& node) const {
    if (node.op != "MapDataset") return false;
    const auto found = node.attrs.find("f");
    const FunctionRef* function =
        found == node.attrs.end() ? nullptr : found->second.get_if<FunctionRef>();
    const proto::FunctionDef* def =
        function == nullptr ? nullptr : graph_.FindFunction(function->name);
    if (def == nullptr || def->signature().is_stateful()) return false;
    node.op = "ParallelMapDataset";
    node.attrs.erase("force_synchronous");
    node.inputs.emplace_back(Tensor::Scalar<int32_t>(-1));  // as many calls as are worth it
    return true;
  }

  const GraphRewrites rewrites_;
  DataSetGraph& graph_;
};

}  // namespace

bool Rewrite(const GraphRewrites& rewrites, DataSetGraph& graph) {
  return Rewriter(rewrites, graph).Run();
}

}  // namespace sluice::kernels
