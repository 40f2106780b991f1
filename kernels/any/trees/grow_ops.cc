// SPDX-License-Identifier: Apache-2.0
// The ops that grow trees: the best splits of a layer, and the bias of the first tree.
#include <cmath>
#include <map>
#include <vector>

#include "core/runtime/kernel_registry.h"
#include "kernels/any/trees/register.h"
#include "kernels/any/trees/split_gain.h"
#include "kernels/any/trees/tree_ensemble.h"
#include "kernels/any/trees/tree_inputs.h"
#include "kernels/common/resource_handle.h"
#include "kernels/common/round_each.h"
#include "proto/boosted_trees.pb.h"

namespace sluice::kernels {
namespace {

// The learning rate scales leaves, so each tree has this weight.
constexpr float kTreeWeight = 1.0f;
enum PruningMode : int64_t { kNoPruning = 0, kPrePruning = 1, kPostPruning = 2 };

// The candidates of one feature, one for each node.
struct Candidates {
  int feature = 0;
  absl::Span<const int32_t> nodes;
  absl::Span<const float> gains;
  absl::Span<const int32_t> thresholds;
  const Tensor* left = nullptr;
  const Tensor* right = nullptr;
  absl::Span<const int32_t> dimensions;  // empty: 0
  int64_t logits = 1;
  absl::Span<const std::string> types;  // empty: INEQUALITY_DEFAULT_LEFT

  absl::StatusOr<TreeSplit> Split(size_t i, float learning_rate) const {
    TreeSplit split;
    split.node = nodes[i];
    split.feature = feature;
    split.gain = gains[i];
    split.threshold = thresholds[i];
    if (!dimensions.empty()) split.dimension = dimensions[i];
    if (!types.empty() && !trees::SplitTypeWithDefault_Parse(types[i], &split.type))
      return InvalidArgument("split type ", types[i], " is unknown");
    split.left = Scaled(*left, i, learning_rate);
    split.right = Scaled(*right, i, learning_rate);
    return split;
  }
  std::vector<float> Scaled(const Tensor& contributions, size_t row, float by) const {
    const float* from =
        contributions.data<float>() + static_cast<int64_t>(row) * contributions.dim(1);
    std::vector<float> scaled(from, from + logits);
    for (float& value : scaled) value *= by;
    return scaled;
  }
};

// The best candidate for each node. Of equal ones, that of the smallest feature id.
std::map<int, std::pair<const Candidates*, size_t>> BestByNode(
    const std::vector<Candidates>& features) {
  std::map<int, std::pair<const Candidates*, size_t>> best;
  for (const Candidates& feature : features) {
    for (size_t i = 0; i < feature.nodes.size(); ++i) {
      const auto [it, added] = best.try_emplace(feature.nodes[i], &feature, i);
      if (added) continue;
      const float gain = feature.gains[i], had = it->second.first->gains[it->second.second];
      const bool better = std::abs(gain - had) < kGainTolerance
                              ? feature.feature < it->second.first->feature
                              : gain - had >= kGainTolerance;
      if (better) it->second = {&feature, i};
    }
  }
  return best;
}

// The arguments of both versions of the op.
struct Growth {
  std::vector<Candidates> features;
  int max_depth = 0;
  float learning_rate = 0;
  int64_t pruning_mode = kNoPruning;
};

absl::Status CheckSplit(const TreeEnsemble& ensemble, int tree, const TreeSplit& split) {
  if (split.node < 0 || split.node >= ensemble.num_nodes(tree) ||
      !ensemble.is_leaf(tree, split.node)) {
    return InvalidArgument("node ", split.node, " of tree ", tree, " is not a leaf to split");
  }
  if (split.feature >= 0 && split.dimension >= 0) return absl::OkStatus();
  return InvalidArgument("a split on feature ", split.feature, ", dimension ", split.dimension,
                         " is invalid");
}

absl::Status Grow(const Growth& growth, TreeEnsemble& ensemble) {
  const auto best = BestByNode(growth.features);
  const int tree = std::max(0, ensemble.num_trees() - 1);
  std::vector<TreeSplit> splits;
  for (const auto& [node, candidate] : best) {
    if (growth.pruning_mode == kPrePruning && candidate.first->gains[candidate.second] < 0)
      continue;
    SLUICE_ASSIGN(TreeSplit split, candidate.first->Split(candidate.second, growth.learning_rate));
    if (ensemble.num_trees() > 0) {
      SLUICE_RETURN_IF_ERROR(CheckSplit(ensemble, tree, split));
    } else if (node != 0) {
      return InvalidArgument("node ", node, " of tree 0 is not a leaf to split");
    }
    splits.push_back(std::move(split));
  }
  ensemble.CountAttempt();
  if (ensemble.num_trees() == 0) ensemble.AddTree(kTreeWeight, {0.0f});
  if (splits.empty()) return absl::OkStatus();

  int begin = ensemble.num_nodes(tree);
  for (const TreeSplit& split : splits) ensemble.Split(tree, split);
  int end = ensemble.num_nodes(tree);
  trees::TreeMetadata& metadata = ensemble.mutable_metadata(tree);
  metadata.set_num_layers_grown(metadata.num_layers_grown() + 1);
  if (metadata.num_layers_grown() >= growth.max_depth) {
    begin = 0;
    end = 1;
    metadata.set_is_finalized(true);
    if (growth.pruning_mode == kPostPruning) ensemble.PostPrune(tree);
    ensemble.AddTree(kTreeWeight, {0.0f});
  }
  ensemble.SetLastLayer(begin, end);
  return absl::OkStatus();
}

// tree_ensemble_handle, feature_ids, dimension_ids (V2), node_ids, gains, thresholds,
// left_node_contribs, right_node_contribs, split_types (V2), max_depth, learning_rate,
// pruning_mode (V2; V1 has an attribute).
struct UpdateEnsemble {
  int features;
  bool v2;
  int64_t pruning_mode;
  int64_t logits;

  static absl::StatusOr<UpdateEnsemble> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const auto nodes, node.InputRange("node_ids"));
    const bool v2 = node.op == "BoostedTreesUpdateEnsembleV2";
    if (GetAttrOr<int64_t>(node.attrs, "num_groups", 1) != 1)
      return Unimplemented("only one group of features is supported");
    const auto logits = GetAttrOr<int64_t>(node.attrs, "logits_dimension", 1);
    if (logits < 1) return InvalidArgument("logits_dimension must be positive, got ", logits);
    return UpdateEnsemble{nodes.size(), v2,
                          GetAttrOr<int64_t>(node.attrs, "pruning_mode", kNoPruning), logits};
  }

  absl::StatusOr<Candidates> CandidatesOf(const KernelContext& ctx, int feature) const {
    // Lists of tensors follow the handle and the feature ids.
    const auto input = [&](int list) { return 2 + list * features + feature; };
    const int first = v2 ? 1 : 0;
    Candidates found;
    found.feature = ctx.input(1).flat<int32_t>()[static_cast<size_t>(feature)];
    SLUICE_ASSIGN(found.nodes, VectorInput<int32_t>(ctx, input(first), -1, "node_ids"));
    const auto count = static_cast<int64_t>(found.nodes.size());
    SLUICE_ASSIGN(found.gains, VectorInput<float>(ctx, input(first + 1), count, "gains"));
    SLUICE_ASSIGN(found.thresholds,
                  VectorInput<int32_t>(ctx, input(first + 2), count, "thresholds"));
    found.left = &ctx.input(input(first + 3));
    found.right = &ctx.input(input(first + 4));
    SLUICE_RETURN_IF_ERROR(CheckRows(*found.left, 2, count, "left_node_contribs"));
    SLUICE_RETURN_IF_ERROR(CheckRows(*found.right, 2, count, "right_node_contribs"));
    found.logits = logits;
    if (found.left->dim(1) < logits || found.right->dim(1) < logits) {
      return InvalidArgument("contributions to ", logits, " logits have the shapes ",
                             found.left->shape(), " and ", found.right->shape());
    }
    if (!v2) return found;
    SLUICE_ASSIGN(found.dimensions, VectorInput<int32_t>(ctx, input(0), count, "dimension_ids"));
    SLUICE_ASSIGN(found.types, VectorInput<std::string>(ctx, input(6), count, "split_types"));
    return found;
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const auto resource, ResourceOf<TreeEnsembleResource>(ctx, 0));
    SLUICE_RETURN_IF_ERROR(VectorInput<int32_t>(ctx, 1, features, "feature_ids").status());
    Growth growth;
    for (int i = 0; i < features; ++i) {
      SLUICE_ASSIGN(Candidates candidates, CandidatesOf(ctx, i));
      growth.features.push_back(candidates);
    }
    const int after = 2 + (v2 ? 7 : 5) * features;
    SLUICE_ASSIGN(growth.max_depth, ScalarInput<int32_t>(ctx, after, "max_depth"));
    SLUICE_ASSIGN(growth.learning_rate, ScalarInput<float>(ctx, after + 1, "learning_rate"));
    growth.pruning_mode = pruning_mode;
    if (v2) {
      SLUICE_ASSIGN(growth.pruning_mode, ScalarInput<int32_t>(ctx, after + 2, "pruning_mode"));
    }
    absl::MutexLock lock(&resource->mu);
    SLUICE_RETURN_IF_ERROR(Grow(growth, resource->ensemble));
    ++resource->stamp;
    return absl::OkStatus();
  }
};

// tree_ensemble_handle, mean_gradients, mean_hessians, l1, l2. Moves the logit of the first root
// by one Newton step. Outputs whether the step was a large part of the logit.
struct CenterBias {
  static absl::StatusOr<CenterBias> Create(const NodeSpec&) { return CenterBias{}; }
  absl::Status Run(KernelContext& ctx) const {
    constexpr float kSmallStep = 0.01f;
    SLUICE_ASSIGN(const auto resource, ResourceOf<TreeEnsembleResource>(ctx, 0));
    const Tensor &gradients = ctx.input(1), &hessians = ctx.input(2);
    SLUICE_RETURN_IF_ERROR(CheckRows(gradients, 2, -1, "mean_gradients"));
    SLUICE_RETURN_IF_ERROR(CheckRows(hessians, 2, -1, "mean_hessians"));
    if (gradients.num_elements() == 0 || hessians.num_elements() == 0)
      return InvalidArgument("mean_gradients and mean_hessians must not be empty");
    Regularization regularization;
    SLUICE_ASSIGN(regularization.l1, ScalarInput<float>(ctx, 3, "l1"));
    SLUICE_ASSIGN(regularization.l2, ScalarInput<float>(ctx, 4, "l2"));
    float step = 0;
    regularization.FitOne(gradients.scalar<float>(), hessians.scalar<float>(), &step);

    absl::MutexLock lock(&resource->mu);
    TreeEnsemble& ensemble = resource->ensemble;
    bool large = true;
    if (ensemble.num_trees() == 0) {
      ensemble.AddTree(kTreeWeight, {step});
    } else {
      const float bias = ensemble.Logit(0, 0, 0) + step;
      ensemble.SetLogits(0, 0, {bias});
      large = std::abs(step / bias) > kSmallStep;
    }
    ++resource->stamp;
    ctx.SetOutput(0, Tensor::Scalar<bool>(large));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterGrowOps(KernelRegistry& kernels) {
  kernels.Add<UpdateEnsemble>("BoostedTreesUpdateEnsemble", kCpu);
  kernels.Add<UpdateEnsemble>("BoostedTreesUpdateEnsembleV2", kCpu);
  kernels.Add<CenterBias>("BoostedTreesCenterBias", kCpu);
}

}  // namespace sluice::kernels
