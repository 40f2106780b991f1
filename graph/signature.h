// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_SIGNATURE_H_
#define SLUICE_GRAPH_SIGNATURE_H_

#include <string>
#include <vector>

#include "core/debug_watch.h"
#include "graph/graph.h"

namespace sluice::graph {

// The request of a step: tensors to feed, tensors to fetch, nodes to run. The order matters,
// because args and retvals are positional. The debugger's watches make a separate graph.
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

// Rewrites a placed clone of the session's graph for one signature. Feed i becomes an _Arg node
// (attribute index = i) that takes over the fed output's consumers. Fetch i becomes a _Retval
// (index = i). Both are on `client_device`. Nodes that lead to no retval and no target are pruned,
// so an unused feed leaves no _Arg. A fetch of a fed tensor is answered from the arg.
//
// Errors:   NOT_FOUND for a missing node; INVALID_ARGUMENT for a missing output, for a tensor fed
//           twice, and if there is nothing to do. Their texts name the tensor.
absl::Status ApplySignature(const Signature& signature, const std::string& client_device,
                            Graph& graph);

// Keeps only nodes that lead to one of `roots`.
void Prune(const std::vector<Node*>& roots, Graph& graph);

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_SIGNATURE_H_
