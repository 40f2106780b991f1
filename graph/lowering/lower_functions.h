// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_LOWERING_LOWER_FUNCTIONS_H_
#define SLUICE_GRAPH_LOWERING_LOWER_FUNCTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace sluice::graph {

struct LowerOptions {
  int first_id = 0;               // nodes before this one were lowered by an earlier call
  int64_t max_nodes = 2'000'000;  // a few functions that call each other twice make many
  // To be differentiated: conditionals and loops stay as they are, and so do calls of functions
  // whose gradient the library names.
  bool for_gradients = false;
  // Where a RemoteCall may go whose target only the step knows: it stands on each of these tasks,
  // and its arguments go to one. With none it is left, for a kernel to call.
  std::vector<std::string> tasks = {};
};

// Puts the bodies of functions in the place of calls: PartitionedCall, StatefulPartitionedCall,
// nodes whose op is a function's name, If, Case, While and For (which become Switch and Merge,
// Enter and Exit), SymbolicGradient, and RemoteCall; nested as deep as they are.
//
// The node that was replaced stays under its name as an IdentityN (NoOp without outputs) marked
// `_lowered` (lowered_output.h), so that it can be fetched, fed, a target and a control input;
// others read its outputs where they are made, so that nobody waits for an output he does not need.
// New nodes are called "caller>node". Needs a graph that was imported and not placed (but for nodes before first_id);
// keeps everything else. A graph without functions is not looked at.
//
// Side effects run as TensorFlow has it: those of a call (all of its stateful nodes, or what
// control_ret names) before any of its outputs is seen; those of an If, Case or While marked
// `_lower_using_switch_merge` only for whoever reads them or waits for the node.
//
// Errors name node and function: RESOURCE_EXHAUSTED when the graph would have too many nodes, and
// what is wrong in a function that a node is called after. A node of another op stays, and fails if
// a step runs it, for a function that is not there (NOT_FOUND), does not fit its call
// (INVALID_ARGUMENT) or has no gradient (UNIMPLEMENTED).
absl::Status LowerFunctions(Graph& graph, const LowerOptions& options = {});

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_LOWERING_LOWER_FUNCTIONS_H_
