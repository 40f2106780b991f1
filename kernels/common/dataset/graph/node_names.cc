// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/dataset/graph/node_names.h"

#include <algorithm>
#include <variant>

#include "absl/strings/str_cat.h"
#include "core/op/producer_version.h"
#include "kernels/common/dataset/graph/data_set_graph.h"

namespace sluice::kernels {

RefPtr<NodeNames> NodeNames::Of(const DataSet& set) {
  auto made = MakeRefCounted<NodeNames>();
  const absl::StatusOr<DataSetGraph> graph = DataSetGraph::Of(set);
  if (!graph.ok()) return made;
  // TensorFlow writes the inputs of a node before the node. So does the list of nodes.
  int64_t number = 0;
  for (const DataSetGraph::Node& node : graph->nodes) {
    number += std::count_if(node.inputs.begin(), node.inputs.end(), [](const auto& input) {
      return std::holds_alternative<Tensor>(input);
    });
    made->names_.emplace(node.name, StageName{absl::StrCat(node.op, "/_", number), node.op,
                                              graph->producer_version > kVersionOf115});
    ++number;
  }
  return made;
}

const StageName* NodeNames::Find(const std::string& node, const std::string& op) const {
  const auto found = names_.find(node);
  return found == names_.end() || found->second.op != op ? nullptr : &found->second;
}

}  // namespace sluice::kernels
