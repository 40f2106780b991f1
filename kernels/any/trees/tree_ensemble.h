// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_TREES_TREE_ENSEMBLE_H_
#define SLUICE_KERNELS_ANY_TREES_TREE_ENSEMBLE_H_

#include <memory>
#include <string>
#include <vector>

#include "core/tensor/resource.h"

namespace sluice::proto::boosted_trees {
class GrowingMetadata;
class Node;
class TreeEnsemble;
class TreeMetadata;
enum SplitTypeWithDefault : int;
}  // namespace sluice::proto::boosted_trees

namespace sluice::kernels {

namespace trees = proto::boosted_trees;

// A split of a leaf into two.
struct TreeSplit {
  int node = 0;
  int feature = 0;
  int dimension = 0;
  int threshold = 0;
  float gain = 0;
  trees::SplitTypeWithDefault type{};
  std::vector<float> left, right;  // what the leaves add to the logits of the node
};

// An ensemble of trees, layer by layer. Ids of children are larger than those of their parents, so
// each walk ends.
class TreeEnsemble {
 public:
  // INVALID_ARGUMENT for bytes that are not an ensemble whose trees can be walked.
  static absl::StatusOr<TreeEnsemble> Parse(const std::string& serialized);
  std::string Serialize() const;

  TreeEnsemble();
  TreeEnsemble(TreeEnsemble&&) noexcept;
  TreeEnsemble& operator=(TreeEnsemble&&) noexcept;
  ~TreeEnsemble();

  int num_trees() const;
  float weight(int tree) const;
  const trees::TreeMetadata& metadata(int tree) const;
  const trees::GrowingMetadata& growing() const;

  int num_nodes(int tree) const;
  bool is_leaf(int tree, int node) const;
  // One logit of a leaf, or of the leaf that a split was. 0 if it has fewer.
  float Logit(int tree, int node, int logit) const;
  const trees::Node& NodeOf(int tree, int node) const;

  // Adds a tree of one leaf.
  void AddTree(float weight, absl::Span<const float> logits);
  void SetLogits(int tree, int node, absl::Span<const float> logits);
  // REQUIRES: the node is a leaf.
  void Split(int tree, const TreeSplit& split);
  // Makes a leaf of each split with a negative gain that has two leaves, from the deepest up.
  void PostPrune(int tree);
  void CountAttempt();
  void SetLastLayer(int begin, int end);
  trees::TreeMetadata& mutable_metadata(int tree);

 private:
  std::unique_ptr<trees::TreeEnsemble> proto_;  // never null, except after a move
};

// The ensemble that a task keeps under a name.
//
// Owner:    its store, and the steps that use it.
// Threads:  any; `mu` guards the members.
class TreeEnsembleResource : public Resource {
 public:
  static constexpr absl::string_view kTypeName = "N10tensorflow28BoostedTreesEnsembleResourceE";
  std::string ToString() const override { return "TreeEnsemble"; }
  absl::string_view type_name() const override { return kTypeName; }

  mutable absl::Mutex mu;
  int64_t stamp ABSL_GUARDED_BY(mu) = -1;
  TreeEnsemble ensemble ABSL_GUARDED_BY(mu);
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_TREES_TREE_ENSEMBLE_H_
