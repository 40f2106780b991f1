// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_GRADIENTS_SPLIT_BODY_H_
#define SLUICE_GRAPH_GRADIENTS_SPLIT_BODY_H_

#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "graph/function_body.h"
#include "graph/output.h"

namespace sluice::graph {

// A differentiated function body, split in two. The forward part also returns the values that the
// backward part reads. The backward part is a separate graph.
struct SplitBody {
  FunctionBody forward;       // its results are those of the function
  std::vector<Output> saved;  // of the forward graph: values that the backward part reads

  std::unique_ptr<Graph> backward;
  std::vector<Output> dys;                   // by result: its gradient; no tensor if there is none
  std::vector<Output> saved_in;              // by `saved`
  absl::flat_hash_map<int, Output> args_in;  // arguments that the backward part reads directly
  std::vector<Output> dxs;  // by argument: its gradient; no tensor if there is none
};

struct SplitRequest {
  std::vector<bool> with_dy;  // by result: it has a gradient
  std::vector<bool> wanted;   // by argument: its gradient is requested
  // by argument: the backward part may read it again, so it is not saved
  std::vector<bool> invariant;
};

// Functions that the body's own gradients add are left in `library`.
absl::StatusOr<SplitBody> SplitGradient(std::shared_ptr<const FunctionLibrary>& library,
                                        const OpRegistry& ops, const FunctionRef& function,
                                        const SplitRequest& request);

// A tensor of the backward graph that its function receives.
absl::StatusOr<Output> AddInput(Graph& backward, DType type);

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_GRADIENTS_SPLIT_BODY_H_
