// SPDX-License-Identifier: Apache-2.0
#include "graph/passes/move_readers.h"

#include <vector>

namespace sluice::graph {

void MoveReaders(Graph& graph, const Node& from, Node& to) {
  for (Edge* edge : std::vector<Edge*>(from.out_edges())) {
    const Edge old = *edge;
    graph.RemoveEdge(edge);
    if (old.control())
      graph.AddControlEdge(&to, old.dst);
    else
      graph.AddEdge(&to, 0, old.dst, old.dst_input);
  }
}

}  // namespace sluice::graph
