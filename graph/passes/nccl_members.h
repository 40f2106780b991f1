// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_PASSES_NCCL_MEMBERS_H_
#define SLUICE_GRAPH_PASSES_NCCL_MEMBERS_H_

#include "graph/graph.h"

namespace sluice::graph {

// Prepares a placed and pruned graph for the kernels that reduce between the GPUs of one task.
//
// * NcclReduce becomes a _NcclReduceRecv of its name, on its own GPU, and a _NcclReduceSend on the
//   GPU of each other input.
// * NcclBroadcast passes its input on. Readers on other GPUs of its task read a _NcclBroadcastRecv
//   on their GPU, which a _NcclBroadcastSend serves. Other readers, and all if the attribute
//   `shape` is not fully known, keep their edges.
// * NcclAllReduce stays. Its members must all be in the graph, and in one task: NCCL would wait for
//   those that are missing.
//
// Errors:   INVALID_ARGUMENT names the node, and the device or the number of members that is wrong.
absl::Status SplitNcclOps(Graph& graph);

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_PASSES_NCCL_MEMBERS_H_
