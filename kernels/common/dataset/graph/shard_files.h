// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_GRAPH_SHARD_FILES_H_
#define SLUICE_KERNELS_COMMON_DATASET_GRAPH_SHARD_FILES_H_

#include "kernels/common/dataset/graph/data_set_graph.h"

namespace sluice::kernels {

// Changes the graph so that a worker reads only every file whose number is its
// index. All sources must be files: the input of a flat_map or interleave whose
// function reads files is their names. A shuffle of the names comes after the
// selection. Errors: NOT_FOUND names a source that is not a file; then the
// graph is undefined.
absl::Status ShardFiles(DataSetGraph& graph, int64_t workers, int64_t index);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_GRAPH_SHARD_FILES_H_
