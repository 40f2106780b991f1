// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_MASTER_CLIENT_EDGES_H_
#define SLUICE_MASTER_CLIENT_EDGES_H_

#include <string>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "graph/signature.h"

// Moves values between a client and a graph, in ways that graph::ApplySignature does not cover.

namespace sluice::master {

// The dtype that each feed must have, by the session's graph, so that a wrong feed is refused
// before anything runs. kInvalid if it is unknown.
std::vector<DType> FeedTypes(const graph::Graph& graph, const graph::Signature& signature);

// INVALID_ARGUMENT names a tensor that is fed twice, or both fed and fetched.
absl::Status CheckFedOnce(const graph::Signature& signature,
                          const std::vector<std::pair<std::string, std::string>>& connections);

// Connects tensors for a callable: the consumers of `second` consume `first` from now on. Call it
// before ApplySignature. INVALID_ARGUMENT or NOT_FOUND names the tensor: unknown, of another dtype,
// or on a cycle.
absl::Status Connect(const std::vector<std::pair<std::string, std::string>>& connections,
                     graph::Graph& graph);

// For each fetch, the feeds that it depends on. Call it after ApplySignature.
std::vector<std::vector<int>> FetchNeeds(const graph::Graph& graph,
                                         const graph::Signature& signature);

// The feeds and fetches of a partial run are sent while the step runs: each _Arg becomes a _Recv,
// each _Retval a _Send, on the keys of transport/messages.h. For the partition of the client's
// device.
absl::Status AwaitClient(graph::Graph& graph);

}  // namespace sluice::master

#endif  // SLUICE_MASTER_CLIENT_EDGES_H_
