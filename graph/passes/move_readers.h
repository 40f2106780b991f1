// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_PASSES_MOVE_READERS_H_
#define SLUICE_GRAPH_PASSES_MOVE_READERS_H_

#include "graph/graph.h"

namespace sluice::graph {

// What reads an output of `from` reads output 0 of `to`; what waits for `from` waits for `to`.
// REQUIRES: `from` has at most one output.
void MoveReaders(Graph& graph, const Node& from, Node& to);

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_PASSES_MOVE_READERS_H_
