// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_GRAPH_REWRITE_H_
#define SLUICE_KERNELS_COMMON_DATASET_GRAPH_REWRITE_H_

#include "kernels/common/dataset/graph/data_set_graph.h"

namespace sluice::kernels {

// Rewrites of a data set's graph. None changes the elements or their order.
struct GraphRewrites {
  bool noop_elimination = false;  // without stages that change nothing
  bool map_parallelization =
      false;  // a map whose function has no state makes several calls at once

  bool any() const { return noop_elimination || map_parallelization; }
};

// Returns whether it has changed the graph.
bool Rewrite(const GraphRewrites& rewrites, DataSetGraph& graph);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_GRAPH_REWRITE_H_
