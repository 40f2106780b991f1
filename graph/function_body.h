// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_FUNCTION_BODY_H_
#define SLUICE_GRAPH_FUNCTION_BODY_H_

#include <memory>
#include <string>
#include <vector>

#include "graph/functions.h"
#include "graph/graph.h"

namespace sluice::graph {

// A function for one set of attributes as a graph. Arguments are _Arg nodes, results _Retval nodes
// (attribute `index`). The other nodes are those of the definition; calls in it are still calls.
struct FunctionBody {
  std::string name;
  std::string key;  // the same for the same function with the same attributes
  std::unique_ptr<Graph> graph;
  std::vector<Node*> args;  // by flat index
  std::vector<Node*> rets;
  std::vector<DType> arg_types;
  std::vector<DType> ret_types;
  std::vector<Node*> order;  // all nodes, sources first
  // By node id: the node waits for an argument, or is in a loop whose Enter nodes wait for one.
  std::vector<bool> fed;
  bool noinline = false;  // kernels with state are shared by all callers
  bool has_flow = false;  // it has Switch or Enter nodes: parts of it may be dead
  bool state_in_loops = false;

  // The nodes that must have run when the body has run, in addition to the results: the nodes in
  // control_ret, and all nodes with side effects except those in loops and branches of the body.
  std::vector<Node*> control_rets;
  std::vector<Node*> effects;

  static int ArgIndex(const Node& arg) {
    return static_cast<int>(GetAttrOr<int64_t>(arg.attrs, "index", 0));
  }
  // The input of a _Retval: an output of a node, or of an _Arg.
  const Edge& result(int i) const { return *rets[i]->input(0); }
};

// The types of a call's inputs and outputs. INVALID_ARGUMENT, without the node's name, if the
// attributes do not fit the signature. Attributes that the signature does not use are ignored.
absl::Status ResolveCall(const OpDef& signature, const AttrMap& attrs, ArgTypes* inputs,
                         ArgTypes* outputs);

// NOT_FOUND if the library has no such function. INVALID_ARGUMENT describes the error in it, with
// the names of function and node.
absl::StatusOr<FunctionBody> Instantiate(std::shared_ptr<const FunctionLibrary> library,
                                         const OpRegistry& ops, const std::string& name,
                                         const AttrMap& attrs);

// Adds an _Arg or _Retval with the next index to a body under construction.
absl::StatusOr<Node*> AddArg(FunctionBody& body, DType type);
absl::Status AddRet(FunctionBody& body, Node* src, int output, DType type);

// Computes order, fed, has_flow, state_in_loops and effects from a body's graph, arguments, results
// and control_rets.
absl::Status Complete(FunctionBody& body);

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_FUNCTION_BODY_H_
