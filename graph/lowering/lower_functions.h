// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_LOWERING_LOWER_FUNCTIONS_H_
#define SLUICE_GRAPH_LOWERING_LOWER_FUNCTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/device_name.h"
#include "graph/graph.h"

namespace sluice::graph {

struct LowerOptions {
  int first_id = 0;               // nodes before this one were lowered by an earlier call
  int64_t max_nodes = 2'000'000;  // a few functions that call each other twice produce many nodes
  // For differentiation: conditionals and loops are not lowered, nor are calls of functions whose
  // gradient the library names.
  bool for_gradients = false;
  // The tasks of a RemoteCall whose target is known only in the step. The call is added on each of
  // these tasks, and its arguments go to one of them. If empty, the node is left for a kernel to
  // call.
  std::vector<std::string> tasks = {};
  // The devices of these tasks. A RemoteCall whose target is a constant stays for its kernel to
  // refuse, if the target is none of them. If empty, every target is taken for a device.
  std::vector<DeviceName> devices = {};
};

// Replaces calls by the bodies of functions: PartitionedCall, StatefulPartitionedCall, nodes whose
// op is the name of a function, If, Case, While and For (which become Switch and Merge, Enter and
// Exit), SymbolicGradient, and RemoteCall, at any depth.
//
// The replaced node stays under its name as an IdentityN (a NoOp without outputs) marked `_lowered`
// (lowered_output.h). So it can be fetched, fed, a target and a control input. Other nodes read its
// outputs at their source, so that none waits for an output that it does not need. New nodes are
// called "caller>node". The graph must be imported and not placed (except for nodes before
// first_id). Other nodes are kept. A graph without functions is not changed.
//
// Side effects run in TensorFlow's order. Those of a call (all of its stateful nodes, or those in
// control_ret) run before any of its outputs can be read. Those of an If, Case or While marked
// `_lower_using_switch_merge` run only before nodes that read them or wait for the node.
//
// Errors name node and function. RESOURCE_EXHAUSTED if the graph would have too many nodes. If an
// op is the name of a function, the error describes what is wrong in the function. A node of
// another op stays, and fails if a step runs it, for a function that is missing (NOT_FOUND), does
// not fit its call (INVALID_ARGUMENT) or has no gradient (UNIMPLEMENTED).
absl::Status LowerFunctions(Graph& graph, const LowerOptions& options = {});

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_LOWERING_LOWER_FUNCTIONS_H_
