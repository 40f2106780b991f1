// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_GRAPH_NODE_NAMES_H_
#define SLUICE_KERNELS_COMMON_DATASET_GRAPH_NODE_NAMES_H_

#include "absl/container/flat_hash_map.h"
#include "core/tensor/ref.h"
#include "kernels/common/dataset/data_set.h"
#include "kernels/common/dataset/stats_sink.h"

namespace sluice::kernels {

struct MakerNode;

// The names that the nodes of a data set have in TensorFlow's statistics after it has optimised the
// graph: the op with the node's number among nodes and constants, such as "PrefetchDataset/_5". A
// node that a rewrite makes has the name of its op.
//
// Owner:    the run, which keeps the data set too.
// Threads:  immutable.
class NodeNames final : public RefCounted {
 public:
  // `after`: the data set to which `before` was rewritten, or the same one.
  static RefPtr<NodeNames> Of(const DataSet& before, const DataSet& after);

  // Null if the graph does not have the node: then it is one of a function.
  const StageName* Find(const MakerNode* node) const;

 private:
  absl::flat_hash_map<const MakerNode*, StageName> names_;
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_GRAPH_NODE_NAMES_H_
