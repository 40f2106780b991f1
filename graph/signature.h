// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_SIGNATURE_H_
#define SLUICE_GRAPH_SIGNATURE_H_

#include <string>
#include <vector>

#include "core/debug_watch.h"
#include "graph/graph.h"

namespace sluice::graph {

// The request of a step: tensors to feed, tensors to fetch, nodes to run. Positions matter, because
// args and retvals are positional. The debugger's watches make a separate graph.
struct Signature {
  std::vector<std::string> feeds;
  std::vector<std::string> fetches;
  std::vector<std::string> targets;
  std::vector<DebugWatch> watches = {};
  bool operator==(const Signature&) const = default;
  template <typename H>
  friend H AbslHashValue(H h, const Signature& s) {
    return H::combine(std::move(h), s.feeds, s.fetches, s.targets, s.watches);
  }
};

// Rewrites a placed clone of the session's graph for one signature: feed i becomes an _Arg node
// (attribute index = i) that takes over the fed output's consumers, fetch i a _Retval (index = i),
// both on `client_device`; nodes from which no retval and no target is reached are pruned (so a
// feed that nothing needs leaves no _Arg). A fetch of a fed tensor is answered from the arg.
//
// Errors:   NOT_FOUND for a node that is not there; INVALID_ARGUMENT for an output that is not, for
//           a tensor fed twice, and when there is nothing to do. Their texts name the tensor.
absl::Status ApplySignature(const Signature& signature, const std::string& client_device,
                            Graph& graph);

// Keeps only nodes from which one of `roots` is reached.
void Prune(const std::vector<Node*>& roots, Graph& graph);

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_SIGNATURE_H_
