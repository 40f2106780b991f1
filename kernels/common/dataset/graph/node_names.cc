// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/dataset/graph/node_names.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/op/producer_version.h"
#include "kernels/common/dataset/graph/recipe.h"

namespace sluice::kernels {
namespace {

bool IsLater(const MakerNode& node) { return node.producer_version > kVersionOf115; }

// Numbers nodes as TensorFlow does: it writes the inputs of a node before the node, and a data set
// again for each reader. Here a data set has its first number.
class Numbers {
 public:
  explicit Numbers(const DataSet& set) {
    if (set.recipe() != nullptr) count_ = Add(set, 0, 0);
  }

  // The nodes, each once, from the inputs to the last one.
  const std::vector<std::pair<const MakerNode*, int64_t>>& nodes() const { return nodes_; }
  int64_t count() const { return count_; }

 private:
  // A pipeline is as deep as the recursion here. Readers that share inputs multiply them.
  static constexpr int kMostDepth = 2'000;
  static constexpr int64_t kMostNodes = int64_t{1} << 40;

  // Returns how many nodes are written for the data set, the first with the number `first`.
  int64_t Add(const DataSet& set, int64_t first, int depth) {
    if (const auto found = sizes_.find(&set); found != sizes_.end()) return found->second;
    const Recipe& recipe = *set.recipe();
    // Later releases do not write the data sets that functions capture.
    const size_t captured =
        IsLater(*recipe.node)
            ? GetAttrOr<std::vector<DType>>(recipe.node->attrs, "Targuments", {}).size()
            : 0;
    int64_t size = 0;
    for (size_t i = 0; i < recipe.inputs.size(); ++i) {
      const DataSet* before = DataSetIn(recipe.inputs[i]);
      const bool written = before != nullptr && before->recipe() != nullptr &&
                           (i == 0 || i > captured) && depth < kMostDepth;
      size += written ? Add(*before, first + size, depth + 1) : 1;
      size = std::min(size, kMostNodes);
    }
    nodes_.emplace_back(recipe.node.get(), first + size);
    return sizes_[&set] = size + 1;
  }

  int64_t count_ = 0;
  std::vector<std::pair<const MakerNode*, int64_t>> nodes_;
  absl::flat_hash_map<const DataSet*, int64_t> sizes_;
};

}  // namespace

RefPtr<NodeNames> NodeNames::Of(const DataSet& before, const DataSet& after) {
  auto made = MakeRefCounted<NodeNames>();
  const Numbers numbers(before), numbers_after(after);
  absl::flat_hash_map<std::string, std::pair<const MakerNode*, int64_t>> written;  // by name
  for (const auto& node : numbers.nodes()) written.emplace(node.first->name, node);
  absl::flat_hash_map<std::string, int64_t> rewritten;  // by op
  for (const auto& [node, number] : numbers_after.nodes()) {
    const auto found = written.find(node->name);
    std::string name;
    if (found != written.end() && found->second.first->op == node->op) {
      name = absl::StrCat(node->op, "/_", found->second.second);
    } else {
      const int64_t others = rewritten[node->op]++;
      name = others == 0 ? node->op : absl::StrCat(node->op, "/_", numbers.count() + others);
    }
    made->names_.emplace(node, StageName{std::move(name), node->op, IsLater(*node)});
  }
  return made;
}

const StageName* NodeNames::Find(const MakerNode* node) const {
  const auto found = names_.find(node);
  return found == names_.end() ? nullptr : &found->second;
}

}  // namespace sluice::kernels
