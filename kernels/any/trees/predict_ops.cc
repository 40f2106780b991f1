// SPDX-License-Identifier: Apache-2.0
// Walks of examples through the trees of an ensemble.
#include <vector>

#include "absl/synchronization/mutex.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/any/trees/register.h"
#include "kernels/any/trees/tree_ensemble.h"
#include "kernels/any/trees/tree_inputs.h"
#include "kernels/common/resource_handle.h"
#include "kernels/common/round_each.h"
#include "proto/boosted_trees.pb.h"

namespace sluice::kernels {
namespace {

// The bucket of each example, by feature.
using Buckets = std::vector<absl::Span<const int32_t>>;

// The attribute logits_dimension.
absl::StatusOr<int> LogitsOf(const NodeSpec& node) {
  SLUICE_ASSIGN(const int64_t logits, node.Get<int64_t>("logits_dimension"));
  if (logits < 0 || logits > 1 << 15)
    return InvalidArgument("logits_dimension must be between 0 and 32768, got ", logits);
  return static_cast<int>(logits);
}

// The features from `first` on: vectors of one size, or such matrices of one column.
absl::StatusOr<Buckets> BucketsFrom(const KernelContext& ctx, int first) {
  Buckets buckets;
  for (int i = first; i < ctx.num_inputs(); ++i) {
    const Tensor& feature = ctx.input(i);
    const bool column = feature.rank() == 2 && feature.dim(1) == 1;
    if ((feature.rank() != 1 && !column) || feature.dim(0) != ctx.input(first).dim(0)) {
      return InvalidArgument("bucketized_features must be vectors of one size, got shapes ",
                             ctx.input(first).shape(), " and ", feature.shape());
    }
    buckets.push_back(feature.flat<int32_t>());
  }
  return buckets;
}

// The child of a split to which an example goes.
// `failed` is set if the split is on a feature that is not there.
int NextNode(const trees::Node& node, const Buckets& buckets, int64_t example, bool* failed) {
  const bool by_category = node.has_categorical_split();
  const trees::BucketizedSplit& by_bucket = node.bucketized_split();
  const trees::CategoricalSplit& category = node.categorical_split();
  const int feature = by_category ? category.feature_id() : by_bucket.feature_id();
  const int dimension = by_category ? category.dimension_id() : by_bucket.dimension_id();
  if (feature < 0 || feature >= static_cast<int>(buckets.size()) || dimension != 0) {
    *failed = true;
    return by_category ? category.left_id() : by_bucket.left_id();
  }
  const int bucket = buckets[static_cast<size_t>(feature)][static_cast<size_t>(example)];
  if (by_category) return bucket == category.value() ? category.left_id() : category.right_id();
  return bucket <= by_bucket.threshold() ? by_bucket.left_id() : by_bucket.right_id();
}

absl::Status NoSuchFeature(const Buckets& buckets) {
  return InvalidArgument("a split of the tree ensemble is on a feature or dimension that the ",
                         buckets.size(), " bucketized_features do not have");
}

// Calls visit(example, failed) for each of them, in shards. Each takes about `cost` ns.
template <typename Visit>
absl::Status ForEachExample(const KernelContext& ctx, const Buckets& buckets, double cost,
                            const Visit& visit) {
  std::atomic<bool> any_failed{false};
  ParallelFor(ctx.pool(), static_cast<int64_t>(buckets[0].size()), cost,
              [&](int64_t begin, int64_t end) {
                bool failed = false;
                for (int64_t i = begin; i < end && !failed; ++i) visit(i, &failed);
                if (failed) any_failed = true;
              });
  return any_failed ? NoSuchFeature(buckets) : absl::OkStatus();
}

double WalkCost(const TreeEnsemble& ensemble) { return 50.0 * (1 + ensemble.num_trees()); }

// tree_ensemble_handle, bucketized_features.
struct Predict {
  int logits;

  static absl::StatusOr<Predict> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const int logits, LogitsOf(node));
    return Predict{logits};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const auto resource, ResourceOf<TreeEnsembleResource>(ctx, 0));
    SLUICE_ASSIGN(const Buckets buckets, BucketsFrom(ctx, 1));
    SLUICE_ASSIGN(const Shape shape,
                  Shape::Create({static_cast<int64_t>(buckets[0].size()), logits}));
    SLUICE_ASSIGN(Tensor * output, ctx.AllocateOutput(0, shape));
    float* to = output->mutable_data<float>();
    std::fill_n(to, shape.num_elements(), 0.0f);
    absl::ReaderMutexLock lock(&resource->mu);
    const TreeEnsemble& ensemble = resource->ensemble;
    return ForEachExample(ctx, buckets, WalkCost(ensemble), [&](int64_t i, bool* failed) {
      for (int tree = 0; tree < ensemble.num_trees(); ++tree) {
        int node = 0;
        while (!ensemble.is_leaf(tree, node) && !*failed)
          node = NextNode(ensemble.NodeOf(tree, node), buckets, i, failed);
        for (int j = 0; j < logits; ++j)
          to[i * logits + j] += ensemble.weight(tree) * ensemble.Logit(tree, node, j);
      }
    });
  }
};

// tree_ensemble_handle, cached_tree_ids, cached_node_ids, bucketized_features. Outputs the change
// of the logits since the cached node, and the node in the last tree.
struct TrainingPredict {
  int logits;

  static absl::StatusOr<TrainingPredict> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const int logits, LogitsOf(node));
    return TrainingPredict{logits};
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const auto resource, ResourceOf<TreeEnsembleResource>(ctx, 0));
    SLUICE_ASSIGN(const Buckets buckets, BucketsFrom(ctx, 3));
    const auto batch = static_cast<int64_t>(buckets[0].size());
    SLUICE_ASSIGN(const auto tree_ids, VectorInput<int32_t>(ctx, 1, batch, "cached_tree_ids"));
    SLUICE_ASSIGN(const auto node_ids, VectorInput<int32_t>(ctx, 2, batch, "cached_node_ids"));
    SLUICE_ASSIGN(const Shape shape, Shape::Create({batch, logits}));
    SLUICE_ASSIGN(Tensor * partial, ctx.AllocateOutput(0, shape));
    SLUICE_ASSIGN(Tensor * trees_out, ctx.AllocateOutput(1, Shape{batch}));
    SLUICE_ASSIGN(Tensor * nodes_out, ctx.AllocateOutput(2, Shape{batch}));
    float* change = partial->mutable_data<float>();
    int32_t *last_trees = trees_out->mutable_data<int32_t>(),
            *last_nodes = nodes_out->mutable_data<int32_t>();
    std::fill_n(change, shape.num_elements(), 0.0f);

    absl::ReaderMutexLock lock(&resource->mu);
    const TreeEnsemble& ensemble = resource->ensemble;
    if (ensemble.num_trees() == 0) {
      std::copy(tree_ids.begin(), tree_ids.end(), last_trees);
      std::fill_n(last_nodes, batch, 0);
      return absl::OkStatus();
    }
    SLUICE_RETURN_IF_ERROR(CheckCache(ensemble, tree_ids, node_ids));
    std::fill_n(last_trees, batch, ensemble.num_trees() - 1);
    return ForEachExample(ctx, buckets, WalkCost(ensemble), [&](int64_t i, bool* failed) {
      last_nodes[i] =
          Walk(ensemble, tree_ids[static_cast<size_t>(i)], node_ids[static_cast<size_t>(i)],
               buckets, i, change + i * logits, failed);
    });
  }

  static absl::Status CheckCache(const TreeEnsemble& ensemble, absl::Span<const int32_t> tree_ids,
                                 absl::Span<const int32_t> node_ids) {
    for (size_t i = 0; i < tree_ids.size(); ++i) {
      const int tree = tree_ids[i], node = node_ids[i];
      const bool is_tree = tree >= 0 && tree < ensemble.num_trees();
      if (is_tree && node < std::max(ensemble.num_nodes(tree),
                                     ensemble.metadata(tree).post_pruned_nodes_meta_size())) {
        continue;
      }
      return InvalidArgument("example ", i, " is cached at node ", node, " of tree ", tree,
                             ", which the tree ensemble does not have");
    }
    return absl::OkStatus();
  }

  // From a cached node, or from the root of the tree if `node` is negative, to a leaf of the last
  // tree.
  int Walk(const TreeEnsemble& ensemble, int tree, int node, const Buckets& buckets,
           int64_t example, float* change, bool* failed) const {
    absl::InlinedVector<float, 8> of_tree(static_cast<size_t>(logits), 0.0f);
    if (node >= 0)
      LeaveCached(ensemble, tree, &node, of_tree.data());
    else
      node = 0;
    while (!*failed) {
      if (!ensemble.is_leaf(tree, node)) {
        node = NextNode(ensemble.NodeOf(tree, node), buckets, example, failed);
        continue;
      }
      for (int j = 0; j < logits; ++j) {
        change[j] += ensemble.weight(tree) *
                     (of_tree[static_cast<size_t>(j)] + ensemble.Logit(tree, node, j));
        of_tree[static_cast<size_t>(j)] = 0;
      }
      if (tree == ensemble.num_trees() - 1) break;
      ++tree;
      node = 0;
    }
    return node;
  }

  // Takes away the logits of the cached node. If its tree was pruned since then, they are those of
  // the node into which it went.
  void LeaveCached(const TreeEnsemble& ensemble, int tree, int* node, float* of_tree) const {
    const auto& updates = ensemble.metadata(tree).post_pruned_nodes_meta();
    if (*node < updates.size()) {
      const auto& update = updates[*node];
      for (int j = 0; j < std::min(logits, update.logit_change_size()); ++j)
        of_tree[j] += update.logit_change(j);
      *node = std::clamp(update.new_node_id(), 0, ensemble.num_nodes(tree) - 1);
    }
    for (int j = 0; j < logits; ++j) of_tree[j] -= ensemble.Logit(tree, *node, j);
  }
};

// tree_ensemble_handle, bucketized_features. Outputs a DebugOutput for each example.
struct ExampleDebugOutputs {
  static absl::StatusOr<ExampleDebugOutputs> Create(const NodeSpec&) {
    return ExampleDebugOutputs{};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const auto resource, ResourceOf<TreeEnsembleResource>(ctx, 0));
    SLUICE_ASSIGN(const Buckets buckets, BucketsFrom(ctx, 1));
    const auto batch = static_cast<int64_t>(buckets[0].size());
    SLUICE_ASSIGN(Tensor * output, ctx.AllocateOutput(0, Shape{batch}));
    auto* to = output->mutable_data<std::string>();
    absl::ReaderMutexLock lock(&resource->mu);
    if (resource->ensemble.num_trees() == 0)
      return FailedPrecondition("the tree ensemble has no trees");
    return ForEachExample(ctx, buckets, 2 * WalkCost(resource->ensemble),
                          [&](int64_t i, bool* failed) {
                            resource->mu.AssertReaderHeld();
                            to[i] = Path(resource->ensemble, buckets, i, failed);
                          });
  }

  // The features on which the example's nodes are split, and its logit after each.
  static std::string Path(const TreeEnsemble& ensemble, const Buckets& buckets, int64_t example,
                          bool* failed) {
    trees::DebugOutput path;
    float logit = ensemble.weight(0) * ensemble.Logit(0, 0, 0), of_past_trees = 0;
    path.add_logits_path(logit);
    for (int tree = 0; tree < ensemble.num_trees(); ++tree) {
      int node = 0;
      while (!ensemble.is_leaf(tree, node) && !*failed) {
        const trees::Node& split = ensemble.NodeOf(tree, node);
        path.add_feature_ids(split.has_categorical_split() ? split.categorical_split().feature_id()
                                                           : split.bucketized_split().feature_id());
        node = NextNode(split, buckets, example, failed);
        logit = ensemble.weight(tree) * ensemble.Logit(tree, node, 0);
        path.add_logits_path(logit + of_past_trees);
      }
      // A root adds its logit in the first tree only, where it is the bias.
      if (tree == 0 || node > 0) of_past_trees += logit;
    }
    return path.SerializeAsString();
  }
};

}  // namespace

void RegisterPredictOps(KernelRegistry& kernels) {
  kernels.Add<Predict>("BoostedTreesPredict", kCpu);
  kernels.Add<TrainingPredict>("BoostedTreesTrainingPredict", kCpu);
  kernels.Add<ExampleDebugOutputs>("BoostedTreesExampleDebugOutputs", kCpu);
}

}  // namespace sluice::kernels
