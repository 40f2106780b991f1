// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_GRAPH_REWRITE_H_
#define SLUICE_KERNELS_COMMON_DATASET_GRAPH_REWRITE_H_

#include "kernels/common/dataset/graph/data_set_graph.h"

namespace sluice::kernels {

// Rewrites of a data set's graph. None changes the elements or their order. Two change what an error
// does: after map_and_filter_fusion, a predicate that fails with OUT_OF_RANGE gives an error, not
// the end; after map_and_batch_fusion, an error takes the place of its batch.
struct GraphRewrites {
  bool noop_elimination = false;  // without stages that change nothing
  bool map_fusion = false;
  bool filter_fusion = false;
  bool map_and_filter_fusion = false;
  // a map whose function has no state makes several calls at once
  bool map_parallelization = false;
  bool map_and_batch_fusion = false;

  bool any() const {
    return noop_elimination || map_fusion || filter_fusion || map_and_filter_fusion ||
           map_parallelization || map_and_batch_fusion;
  }
};

// Returns whether it has changed the graph.
bool Rewrite(const GraphRewrites& rewrites, DataSetGraph& graph);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_GRAPH_REWRITE_H_
