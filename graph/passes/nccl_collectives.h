// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_PASSES_NCCL_COLLECTIVES_H_
#define SLUICE_GRAPH_PASSES_NCCL_COLLECTIVES_H_

#include "graph/graph.h"

namespace sluice::graph {

// Replaces collective operations by those of NCCL, in a placed and pruned graph: CollectiveReduce,
// and CollectiveBcastSend with its CollectiveBcastRecv. It replaces an operation if the graph has
// all its members, these are on different GPUs of one task, and NCCL has its dtype.
//
// Every other CollectiveReduce of a GPU that NCCL can compute becomes _NcclGroupReduce: its members
// are in several tasks, which decide together whether they use NCCL. All other operations stay as
// they are: they are computed on the host.
absl::Status UseNcclForCollectives(Graph& graph);

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_PASSES_NCCL_COLLECTIVES_H_
