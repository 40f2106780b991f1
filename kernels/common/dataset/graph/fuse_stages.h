// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_GRAPH_FUSE_STAGES_H_
#define SLUICE_KERNELS_COMMON_DATASET_GRAPH_FUSE_STAGES_H_

#include "kernels/common/dataset/graph/data_set_graph.h"

namespace sluice::kernels {

// Each replaces pairs of stages by one, where only the second reads the first, and returns whether
// there was one. Functions with state stay apart: see FusedFunctions.
bool FuseMaps(DataSetGraph& graph);            // one function in place of two
bool FuseFilters(DataSetGraph& graph);         // one predicate in place of two
bool FuseMapsAndFilters(DataSetGraph& graph);  // the function also returns the predicate
bool FuseMapsAndBatches(DataSetGraph& graph);  // MapAndBatchDataset

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_GRAPH_FUSE_STAGES_H_
