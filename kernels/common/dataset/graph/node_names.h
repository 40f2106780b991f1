// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_GRAPH_NODE_NAMES_H_
#define SLUICE_KERNELS_COMMON_DATASET_GRAPH_NODE_NAMES_H_

#include <string>

#include "absl/container/flat_hash_map.h"
#include "core/tensor/ref.h"
#include "kernels/common/dataset/data_set.h"
#include "kernels/common/dataset/stats_sink.h"

namespace sluice::kernels {

// The names that the nodes of a data set have in TensorFlow's statistics after it has optimised the
// graph: the op with the node's number among nodes and constants, such as "PrefetchDataset/_5".
//
// Owner:    the run.
// Threads:  immutable.
class NodeNames final : public RefCounted {
 public:
  // No names if the data set has no graph.
  static RefPtr<NodeNames> Of(const DataSet& set);

  // Of the node that the client calls `node`. Null if the graph has no such node of this op, as when
  // a rewrite made it.
  const StageName* Find(const std::string& node, const std::string& op) const;

 private:
  absl::flat_hash_map<std::string, StageName> names_;  // by the client's name
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_GRAPH_NODE_NAMES_H_
