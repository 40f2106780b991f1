// SPDX-License-Identifier: Apache-2.0
// Data sets as graphs: DatasetToGraph, DatasetFromGraph, DatasetFingerprint.
#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "core/runtime/kernel_registry.h"
#include "core/threads/blocking_threads.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/data_set.h"
#include "kernels/common/dataset/graph/data_set_graph.h"
#include "proto/graph.pb.h"

namespace sluice::kernels {
namespace {

using Input = RefPtr<const DataSet>;

// 1.15 calls the sources of data sets stateful, although they have no state.
bool MakesDataSets(const proto::FunctionDef& function) {
  return absl::c_any_of(function.node_def(), [](const proto::NodeDef& node) {
    return absl::StrContains(node.op(), "Dataset");
  });
}

struct DatasetToGraph {
  static constexpr int64_t kErrorForState = 2;  // TensorFlow's number
  bool allows_state;

  static absl::StatusOr<DatasetToGraph> Create(const NodeSpec& node) {
    if (node.attrs.contains("external_state_policy")) {
      SLUICE_ASSIGN(const auto policy, node.Get<int64_t>("external_state_policy"));
      return DatasetToGraph{policy != kErrorForState};
    }
    const auto listed = GetAttrOr<std::vector<std::string>>(node.attrs, "stateful_whitelist", {});
    return DatasetToGraph{!listed.empty() || GetAttrOr<bool>(node.attrs, "allow_stateful", false)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Input input, DataSetInput(ctx, 0));
    SLUICE_ASSIGN(const DataSetGraph graph, DataSetGraph::Of(*input));
    proto::GraphDef def;
    SLUICE_RETURN_IF_ERROR(graph.Write(&def));
    for (const proto::FunctionDef& function : def.library().function()) {
      if (allows_state || !function.signature().is_stateful() || MakesDataSets(function)) continue;
      return FailedPrecondition(function.signature().name(), " is stateful.");
    }
    SLUICE_ASSIGN(std::string text, Serialize(def));
    ctx.SetOutput(0, Tensor::Scalar<std::string>(std::move(text)));
    return absl::OkStatus();
  }
};

struct DatasetFingerprint {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Input input, DataSetInput(ctx, 0));
    SLUICE_ASSIGN(const DataSetGraph graph, DataSetGraph::Of(*input));
    proto::GraphDef def;
    SLUICE_RETURN_IF_ERROR(graph.Write(&def));
    ctx.SetOutput(0, Tensor::Scalar<uint64_t>(FingerprintOf(std::move(def))));
    return absl::OkStatus();
  }
};

struct DatasetFromGraph {
  std::string device;

  static absl::StatusOr<DatasetFromGraph> Create(const NodeSpec& node) {
    return DatasetFromGraph{node.device};
  }
  absl::Status Make(KernelContext& ctx) const {
    SLUICE_ASSIGN(const std::string text, ScalarInput<std::string>(ctx, 0, "graph_def"));
    proto::GraphDef def;
    if (!def.ParseFromString(text)) return InvalidArgument("Could not parse GraphDef");
    SLUICE_ASSIGN(Input made, RunGraph(ctx, device, std::move(def)));
    SetDataSet(ctx, std::move(made));
    return absl::OkStatus();
  }
  // The graph may wait.
  void Start(KernelContext& ctx, Done done) const {
    RunBlocking([this, &ctx, done = std::move(done)]() mutable { done(Make(ctx)); });
  }
};

}  // namespace

void RegisterGraphs(KernelRegistry& kernels) {
  for (auto op : {"DatasetToGraph", "DatasetToGraphV2"}) kernels.Add<DatasetToGraph>(op, kCpu);
  kernels.Add<DatasetFingerprint>("DatasetFingerprint", kCpu);
  kernels.Add<DatasetFromGraph>("DatasetFromGraph", kCpu);
}

}  // namespace sluice::kernels
