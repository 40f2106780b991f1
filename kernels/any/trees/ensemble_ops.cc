// SPDX-License-Identifier: Apache-2.0
// The ops that make, keep and restore ensembles of trees.
#include <algorithm>

#include "core/runtime/kernel_registry.h"
#include "kernels/any/trees/named_handle.h"
#include "kernels/any/trees/register.h"
#include "kernels/any/trees/tree_ensemble.h"
#include "kernels/any/trees/tree_inputs.h"
#include "proto/boosted_trees.pb.h"

namespace sluice::kernels {
namespace {

// tree_ensemble_handle, stamp_token, tree_ensemble_serialized.
struct CreateEnsemble {
  static absl::StatusOr<CreateEnsemble> Create(const NodeSpec&) { return CreateEnsemble{}; }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const int64_t stamp, ScalarInput<int64_t>(ctx, 1, "stamp_token"));
    SLUICE_ASSIGN(const std::string serialized,
                  ScalarInput<std::string>(ctx, 2, "tree_ensemble_serialized"));
    auto made = MakeRefCounted<TreeEnsembleResource>();
    {
      absl::MutexLock lock(&made->mu);
      SLUICE_ASSIGN(made->ensemble, TreeEnsemble::Parse(serialized));
      made->stamp = stamp;
    }
    return KeepUnlessPresent(ctx, made);
  }
};

// tree_ensemble_handle, stamp_token, tree_ensemble_serialized. After bytes that are invalid, the
// ensemble is empty and its stamp is -1.
struct DeserializeEnsemble {
  static absl::StatusOr<DeserializeEnsemble> Create(const NodeSpec&) {
    return DeserializeEnsemble{};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const auto resource, ResourceOf<TreeEnsembleResource>(ctx, 0));
    SLUICE_ASSIGN(const int64_t stamp, ScalarInput<int64_t>(ctx, 1, "stamp_token"));
    SLUICE_ASSIGN(const std::string serialized,
                  ScalarInput<std::string>(ctx, 2, "tree_ensemble_serialized"));
    auto parsed = TreeEnsemble::Parse(serialized);
    absl::MutexLock lock(&resource->mu);
    resource->stamp = parsed.ok() ? stamp : -1;
    resource->ensemble = parsed.ok() ? *std::move(parsed) : TreeEnsemble();
    return parsed.status();
  }
};

struct SerializeEnsemble {
  static absl::StatusOr<SerializeEnsemble> Create(const NodeSpec&) { return SerializeEnsemble{}; }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const auto resource, ResourceOf<TreeEnsembleResource>(ctx, 0));
    absl::ReaderMutexLock lock(&resource->mu);
    ctx.SetOutput(0, Tensor::Scalar<int64_t>(resource->stamp));
    ctx.SetOutput(1, Tensor::Scalar<std::string>(resource->ensemble.Serialize()));
    return absl::OkStatus();
  }
};

// Outputs stamp_token, num_trees, num_finalized_trees, num_attempted_layers and
// last_layer_nodes_range, which is never empty.
struct GetEnsembleStates {
  static absl::StatusOr<GetEnsembleStates> Create(const NodeSpec&) { return GetEnsembleStates{}; }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const auto resource, ResourceOf<TreeEnsembleResource>(ctx, 0));
    absl::ReaderMutexLock lock(&resource->mu);
    const TreeEnsemble& ensemble = resource->ensemble;
    const int32_t trees = ensemble.num_trees();
    const bool finalized = trees == 0 || ensemble.metadata(trees - 1).is_finalized();
    ctx.SetOutput(0, Tensor::Scalar<int64_t>(resource->stamp));
    ctx.SetOutput(1, Tensor::Scalar<int32_t>(trees));
    ctx.SetOutput(2, Tensor::Scalar<int32_t>(finalized ? trees : trees - 1));
    ctx.SetOutput(3, Tensor::Scalar<int32_t>(
                         static_cast<int32_t>(ensemble.growing().num_layers_attempted())));
    ctx.SetOutput(4,
                  Tensor::Vector<int32_t>({ensemble.growing().last_layer_node_start(),
                                           std::max(1, ensemble.growing().last_layer_node_end())}));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterEnsembleOps(KernelRegistry& kernels) {
  kernels.Add<NamedHandle<TreeEnsembleResource>>("BoostedTreesEnsembleResourceHandleOp", kCpu, {},
                                                 kCheap);
  kernels.Add<IsInitialized<TreeEnsembleResource>>("IsBoostedTreesEnsembleInitialized", kCpu, {},
                                                   kCheap);
  kernels.Add<CreateEnsemble>("BoostedTreesCreateEnsemble", kCpu);
  kernels.Add<DeserializeEnsemble>("BoostedTreesDeserializeEnsemble", kCpu);
  kernels.Add<SerializeEnsemble>("BoostedTreesSerializeEnsemble", kCpu);
  kernels.Add<GetEnsembleStates>("BoostedTreesGetEnsembleStates", kCpu, {}, kCheap);
}

}  // namespace sluice::kernels
