// SPDX-License-Identifier: Apache-2.0
// AutoShardDataset: the part of a data set for one of several workers.
#include "core/runtime/kernel_registry.h"
#include "core/threads/blocking_threads.h"
#include "kernels/any/dataset/register.h"
#include "kernels/any/dataset/shards.h"
#include "kernels/common/dataset/data_set.h"
#include "kernels/common/dataset/graph/data_set_graph.h"
#include "kernels/common/dataset/graph/shard_files.h"

namespace sluice::kernels {
namespace {

using Input = RefPtr<const DataSet>;

// By files, if the sources are files: each worker reads its own. Else every
// element whose number is the worker's; then each worker reads all files.
struct AutoShardDataset {
  enum Policy { kOff = -1, kAuto = 0, kFile = 1, kData = 2, kHint = 3 };  // TensorFlow's numbers
  std::string device;
  int64_t policy;

  static absl::StatusOr<AutoShardDataset> Create(const NodeSpec& node) {
    return AutoShardDataset{node.device, GetAttrOr<int64_t>(node.attrs, "auto_shard_policy", 0)};
  }
  absl::StatusOr<Input> Sharded(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    SLUICE_ASSIGN(const int64_t workers, ScalarInput<int64_t>(ctx, 1, "num_workers"));
    SLUICE_ASSIGN(const int64_t index, ScalarInput<int64_t>(ctx, 2, "index"));
    if (workers < 1) return InvalidArgument("num_workers must be >= 1, currently ", workers);
    if (index < 0 || index >= workers) {
      return InvalidArgument("index must be >= 0 and < ", workers, ", currently ", index);
    }
    if (policy < kOff || policy > kHint) {
      return InvalidArgument(policy, " is not a policy of auto_shard");
    }
    if (workers == 1 || policy == kOff || policy == kHint) return input;
    if (policy != kData) {
      absl::StatusOr<DataSetGraph> graph = DataSetGraph::Of(*input);
      if (graph.ok()) {
        const absl::Status status = ShardFiles(*graph, workers, index);
        if (status.ok()) return graph->Run(ctx, device);
        if (policy == kFile) return status;
      }
      if (policy == kFile) return graph.status();
    }
    return MakeShard(std::move(input), workers, index, false);
  }
  // The graph of the data set may wait.
  void Start(KernelContext& ctx, Done done) const {
    RunBlocking([this, &ctx, done = std::move(done)]() mutable {
      absl::StatusOr<Input> made = Sharded(ctx);
      if (made.ok()) SetDataSet(ctx, *std::move(made));
      done(made.status());
    });
  }
};

}  // namespace

void RegisterAutoShards(KernelRegistry& kernels) {
  for (auto op : {"AutoShardDataset", "ExperimentalAutoShardDataset"})
    kernels.Add<AutoShardDataset>(op, kCpu);
}

}  // namespace sluice::kernels
