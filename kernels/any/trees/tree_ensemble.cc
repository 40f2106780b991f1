// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/trees/tree_ensemble.h"

#include <algorithm>
#include <utility>

#include "kernels/common/round_each.h"
#include "proto/boosted_trees.pb.h"

namespace sluice::kernels {
namespace {

absl::Status CheckChildren(int left, int right, int node, int count) {
  if (left > node && left < count && right > node && right < count) return absl::OkStatus();
  return InvalidArgument("its children must be later nodes of ", count, ", but are ", left, " and ",
                         right);
}

absl::Status CheckNode(const trees::Node& node, int id, int count) {
  switch (node.node_case()) {
    case trees::Node::kLeaf:
      return absl::OkStatus();
    case trees::Node::kBucketizedSplit:
      return CheckChildren(node.bucketized_split().left_id(), node.bucketized_split().right_id(),
                           id, count);
    case trees::Node::kCategoricalSplit:
      return CheckChildren(node.categorical_split().left_id(), node.categorical_split().right_id(),
                           id, count);
    default:
      return InvalidArgument("it is neither a leaf nor a split by buckets or by categories");
  }
}

absl::Status Check(const trees::TreeEnsemble& ensemble) {
  if (ensemble.tree_weights_size() < ensemble.trees_size()) {
    return InvalidArgument("a tree ensemble has ", ensemble.trees_size(), " trees, but ",
                           ensemble.tree_weights_size(), " weights");
  }
  for (int t = 0; t < ensemble.trees_size(); ++t) {
    const trees::Tree& tree = ensemble.trees(t);
    if (tree.nodes_size() == 0) return InvalidArgument("tree ", t, " of the ensemble has no nodes");
    for (int n = 0; n < tree.nodes_size(); ++n) {
      const absl::Status status = CheckNode(tree.nodes(n), n, tree.nodes_size());
      if (!status.ok())
        return InvalidArgument("node ", n, " of tree ", t, " is invalid: ", status.message());
    }
  }
  return absl::OkStatus();
}

const trees::Leaf& LeafOf(const trees::Node& node) {
  return node.has_leaf() ? node.leaf() : node.metadata().original_leaf();
}

float LogitOf(const trees::Leaf& leaf, int logit) {
  if (leaf.has_vector())
    return logit < leaf.vector().value_size() ? leaf.vector().value(logit) : 0.0f;
  return logit == 0 ? leaf.scalar() : 0.0f;
}

// As in TensorFlow, a root without a bias is not kept when it is split.
bool HasBias(const trees::Leaf& leaf) {
  const auto& values = leaf.vector().value();
  return leaf.scalar() != 0 ||
         std::any_of(values.begin(), values.end(), [](float x) { return x != 0; });
}

trees::Leaf LeafWith(absl::Span<const float> logits) {
  trees::Leaf leaf;
  if (logits.size() == 1)
    leaf.set_scalar(logits[0]);
  else
    leaf.mutable_vector()->mutable_value()->Add(logits.begin(), logits.end());
  return leaf;
}

// The leaf, with other logits added.
trees::Leaf Plus(const trees::Leaf& leaf, absl::Span<const float> logits) {
  std::vector<float> sum(logits.begin(), logits.end());
  for (size_t j = 0; j < sum.size(); ++j) sum[j] = LogitOf(leaf, static_cast<int>(j)) + sum[j];
  return LeafWith(sum);
}

// What pruning did to each node of a tree, by its old id: the node it went into, itself if it was
// kept, and what that changes in each logit.
struct Pruned {
  std::vector<int> into;
  std::vector<std::vector<float>> changes;
};

// Makes a leaf of the node if it is a split of two leaves with a negative gain.
void PruneNode(trees::Tree& tree, int id, Pruned& pruned) {
  trees::Node& node = *tree.mutable_nodes(id);
  if (node.has_leaf() || node.metadata().gain() >= 0) return;
  if (!node.has_bucketized_split()) return;
  const int children[] = {node.bucketized_split().left_id(), node.bucketized_split().right_id()};
  for (int child : children) {
    if (!tree.nodes(child).has_leaf()) return;
  }
  const trees::Leaf leaf = node.metadata().original_leaf();
  for (int child : children) {
    const trees::Leaf& old = tree.nodes(child).leaf();
    const int logits = old.has_vector() ? old.vector().value_size() : 1;
    pruned.into[static_cast<size_t>(child)] = id;
    auto& change = pruned.changes[static_cast<size_t>(child)];
    for (int j = 0; j < logits; ++j) change.push_back(LogitOf(leaf, j) - LogitOf(old, j));
  }
  node.clear_metadata();
  *node.mutable_leaf() = leaf;
}

// Keeps the nodes that went nowhere. Returns their new ids, by their old ones.
std::vector<int> Compact(trees::Tree& tree, const Pruned& pruned) {
  std::vector<int> new_ids(pruned.into.size(), 0);
  trees::Tree kept;
  for (int i = 0; i < tree.nodes_size(); ++i) {
    if (pruned.into[static_cast<size_t>(i)] != i) continue;
    new_ids[static_cast<size_t>(i)] = kept.nodes_size();
    kept.add_nodes()->Swap(tree.mutable_nodes(i));
  }
  for (trees::Node& node : *kept.mutable_nodes()) {
    if (!node.has_bucketized_split()) continue;
    auto* split = node.mutable_bucketized_split();
    split->set_left_id(new_ids[static_cast<size_t>(split->left_id())]);
    split->set_right_id(new_ids[static_cast<size_t>(split->right_id())]);
  }
  tree.Swap(&kept);
  return new_ids;
}

}  // namespace

TreeEnsemble::TreeEnsemble() : proto_(std::make_unique<trees::TreeEnsemble>()) {}
TreeEnsemble::TreeEnsemble(TreeEnsemble&&) noexcept = default;
TreeEnsemble& TreeEnsemble::operator=(TreeEnsemble&&) noexcept = default;
TreeEnsemble::~TreeEnsemble() = default;

absl::StatusOr<TreeEnsemble> TreeEnsemble::Parse(const std::string& serialized) {
  TreeEnsemble parsed;
  if (!parsed.proto_->ParseFromString(serialized))
    return InvalidArgument("Unable to parse tree ensemble proto.");
  SLUICE_RETURN_IF_ERROR(Check(*parsed.proto_));
  return parsed;
}

std::string TreeEnsemble::Serialize() const { return proto_->SerializeAsString(); }

int TreeEnsemble::num_trees() const { return proto_->trees_size(); }

float TreeEnsemble::weight(int tree) const { return proto_->tree_weights(tree); }

const trees::GrowingMetadata& TreeEnsemble::growing() const { return proto_->growing_metadata(); }

int TreeEnsemble::num_nodes(int tree) const { return proto_->trees(tree).nodes_size(); }

bool TreeEnsemble::is_leaf(int tree, int node) const { return NodeOf(tree, node).has_leaf(); }

const trees::Node& TreeEnsemble::NodeOf(int tree, int node) const {
  return proto_->trees(tree).nodes(node);
}

const trees::TreeMetadata& TreeEnsemble::metadata(int tree) const {
  return tree < proto_->tree_metadata_size() ? proto_->tree_metadata(tree)
                                             : trees::TreeMetadata::default_instance();
}

trees::TreeMetadata& TreeEnsemble::mutable_metadata(int tree) {
  while (proto_->tree_metadata_size() <= tree) proto_->add_tree_metadata();
  return *proto_->mutable_tree_metadata(tree);
}

float TreeEnsemble::Logit(int tree, int node, int logit) const {
  return LogitOf(LeafOf(NodeOf(tree, node)), logit);
}

void TreeEnsemble::AddTree(float weight, absl::Span<const float> logits) {
  const int tree = num_trees();
  *proto_->add_trees()->add_nodes()->mutable_leaf() = LeafWith(logits);
  proto_->mutable_tree_weights()->Truncate(tree);
  proto_->add_tree_weights(weight);
  mutable_metadata(tree);
}

void TreeEnsemble::SetLogits(int tree, int node, absl::Span<const float> logits) {
  trees::Node& found = *proto_->mutable_trees(tree)->mutable_nodes(node);
  trees::Leaf& leaf =
      found.has_leaf() ? *found.mutable_leaf() : *found.mutable_metadata()->mutable_original_leaf();
  leaf = LeafWith(logits);
}

void TreeEnsemble::Split(int tree, const TreeSplit& split) {
  trees::Tree& grown = *proto_->mutable_trees(tree);
  const int left = grown.nodes_size();
  grown.add_nodes();
  grown.add_nodes();
  trees::Node& node = *grown.mutable_nodes(split.node);
  const trees::Leaf before = node.leaf();
  trees::NodeMetadata& metadata = *node.mutable_metadata();
  metadata.set_gain(split.gain);
  if (split.node != 0 || HasBias(before)) *metadata.mutable_original_leaf() = before;
  if (split.type == trees::EQUALITY_DEFAULT_RIGHT) {
    trees::CategoricalSplit& made = *node.mutable_categorical_split();
    made.set_feature_id(split.feature);
    made.set_dimension_id(split.dimension);
    made.set_value(split.threshold);
    made.set_left_id(left);
    made.set_right_id(left + 1);
  } else {
    trees::BucketizedSplit& made = *node.mutable_bucketized_split();
    made.set_feature_id(split.feature);
    made.set_dimension_id(split.dimension);
    made.set_threshold(split.threshold);
    made.set_left_id(left);
    made.set_right_id(left + 1);
    made.set_default_direction(split.type == trees::INEQUALITY_DEFAULT_RIGHT ? trees::DEFAULT_RIGHT
                                                                             : trees::DEFAULT_LEFT);
  }
  *grown.mutable_nodes(left)->mutable_leaf() = Plus(before, split.left);
  *grown.mutable_nodes(left + 1)->mutable_leaf() = Plus(before, split.right);
}

void TreeEnsemble::PostPrune(int tree) {
  trees::Tree& grown = *proto_->mutable_trees(tree);
  Pruned pruned;
  pruned.changes.resize(static_cast<size_t>(grown.nodes_size()));
  for (int i = 0; i < grown.nodes_size(); ++i) pruned.into.push_back(i);
  for (int i = grown.nodes_size() - 1; i >= 0; --i) PruneNode(grown, i, pruned);

  const std::vector<int> new_ids = Compact(grown, pruned);
  if (grown.nodes_size() == static_cast<int>(new_ids.size())) return;
  trees::TreeMetadata& metadata = mutable_metadata(tree);
  for (size_t i = 0; i < new_ids.size(); ++i) {
    std::vector<float> change(1, 0.0f);
    size_t node = i;
    for (; pruned.into[node] != static_cast<int>(node); node = pruned.into[node]) {
      change.resize(std::max(change.size(), pruned.changes[node].size()), 0.0f);
      for (size_t j = 0; j < pruned.changes[node].size(); ++j) change[j] += pruned.changes[node][j];
    }
    auto& update = *metadata.add_post_pruned_nodes_meta();
    update.set_new_node_id(new_ids[node]);
    update.mutable_logit_change()->Add(change.begin(), change.end());
  }
}

void TreeEnsemble::CountAttempt() {
  trees::GrowingMetadata& growing = *proto_->mutable_growing_metadata();
  growing.set_num_layers_attempted(growing.num_layers_attempted() + 1);
  const int last = num_trees() - 1;
  const bool first_layer =
      last < 0 || (num_nodes(last) == 1 && (last == 0 || metadata(last - 1).is_finalized()));
  if (first_layer) growing.set_num_trees_attempted(growing.num_trees_attempted() + 1);
}

void TreeEnsemble::SetLastLayer(int begin, int end) {
  proto_->mutable_growing_metadata()->set_last_layer_node_start(begin);
  proto_->mutable_growing_metadata()->set_last_layer_node_end(end);
}

}  // namespace sluice::kernels
