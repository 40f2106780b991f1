// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_GRADIENTS_SPLIT_BODY_H_
#define SLUICE_GRAPH_GRADIENTS_SPLIT_BODY_H_

#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "graph/function_body.h"
#include "graph/output.h"

namespace sluice::graph {

// A function's body, differentiated and cut in two: the way forward, which also gives what the way
// back needs of it, and the way back in a graph of its own.
struct SplitBody {
  FunctionBody forward;       // its results are the function's own
  std::vector<Output> saved;  // of the forward graph: what the way back reads

  std::unique_ptr<Graph> backward;
  std::vector<Output> dys;       // by result: what flows into it; no tensor where nothing does
  std::vector<Output> saved_in;  // by `saved`
  absl::flat_hash_map<int, Output> args_in;  // arguments that the way back reads directly
  std::vector<Output> dxs;                   // by argument; no tensor where nothing flows
};

struct SplitRequest {
  std::vector<bool> with_dy;    // by result: something flows into it
  std::vector<bool> wanted;     // by argument: its gradient is requested
  std::vector<bool> invariant;  // by argument: the way back may read it again, it is not saved
};

// The library that the body's own gradients need is left in `library`.
absl::StatusOr<SplitBody> SplitGradient(std::shared_ptr<const FunctionLibrary>& library,
                                        const OpRegistry& ops, const FunctionRef& function,
                                        const SplitRequest& request);

// A tensor of the backward graph that its function is given.
absl::StatusOr<Output> AddInput(Graph& backward, DType type);

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_GRADIENTS_SPLIT_BODY_H_
