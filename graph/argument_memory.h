// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_ARGUMENT_MEMORY_H_
#define SLUICE_GRAPH_ARGUMENT_MEMORY_H_

#include <vector>

#include "graph/graph.h"
#include "graph/partition.h"
#include "graph/place.h"

namespace sluice::graph {

// The memory of every argument in a placed graph, for Partition: the kernels of the nodes decide. A
// node that only passes its input on (Identity, Switch, Merge, Enter, ...) leaves it in its memory.
// Empty if no device has its own memory.
//
// A Const on a device with its own memory is split if it has readers in both memories; one of the
// two has the attribute `_on_host`. Each is then in the memory of its readers, and is never copied
// in a step.
//
// INVALID_ARGUMENT for a graph with a cycle.
absl::StatusOr<PartitionOptions> FindArgumentMemory(Graph& graph,
                                                    const std::vector<PlaceableDevice>& devices);

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_ARGUMENT_MEMORY_H_
