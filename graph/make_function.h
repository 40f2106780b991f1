// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_MAKE_FUNCTION_H_
#define SLUICE_GRAPH_MAKE_FUNCTION_H_

#include <memory>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "graph/output.h"

namespace sluice::proto {
class GraphDef;
}

namespace sluice::graph {

// A graph that is to become a function: all its nodes except `args`, whose outputs the caller gives
// (Placeholder or _Arg nodes), and the _Retval nodes.
struct FunctionSource {
  const Graph* graph;
  std::vector<Output> args;
  std::vector<Output> rets;
  std::vector<Node*> control_rets;
};

// Adds the function to the library of `graph` under a name that begins with `name`, and returns the
// full name. INVALID_ARGUMENT if it cannot be written as a FunctionDef.
absl::StatusOr<std::string> AddFunction(Graph& graph, const std::string& name,
                                        const FunctionSource& source);

// A function in a library of its own.
struct GraphFunction {
  std::shared_ptr<const FunctionLibrary> library;
  std::string name;
};
// The function of a graph whose arguments are its _Arg nodes, and whose results are its _Retval
// nodes, both by their attribute `index`. The graph's other nodes are those of clients.
// INVALID_ARGUMENT if the graph is damaged.
absl::StatusOr<GraphFunction> FunctionOf(const proto::GraphDef& def, const OpRegistry& ops);

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_MAKE_FUNCTION_H_
