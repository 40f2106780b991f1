// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_GRAPH_DRY_RUN_H_
#define SLUICE_TESTS_GRAPH_DRY_RUN_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace sluice::graph {

// The result of running graphs by the rules of the executor (pending inputs, frames, iterations,
// dead values), with numbers in place of tensors. An op's result is a hash of its name and its
// inputs. LoopCond is true in the first `trips` iterations.
struct DryRun {
  std::map<std::string, std::optional<uint64_t>> fetched;  // by _Retval; nullopt: dead
  std::map<std::string, int> runs;    // number of runs of a node with live inputs
  std::vector<std::string> problems;  // a recv without a value, a value that was not received
};

// Runs the graphs together; a _Send and its _Recv have equal `_edge`, frame and iteration.
DryRun Run(const std::vector<const Graph*>& graphs, int trips);

}  // namespace sluice::graph

#endif  // SLUICE_TESTS_GRAPH_DRY_RUN_H_
