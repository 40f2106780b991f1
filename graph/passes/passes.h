// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_PASSES_PASSES_H_
#define SLUICE_GRAPH_PASSES_PASSES_H_

#include "absl/types/span.h"
#include "core/debug_watch.h"
#include "core/runtime/kernel_table.h"
#include "graph/graph.h"

namespace sluice::graph {

// A pass rewrites a partition, which is placed and cut: absl::Status Pass(Graph&, const PassContext&).
// It keeps every _Arg, _Retval, _Send and _Recv. A new pass is one file of this folder and one line
// of the table in passes.cc.
struct PassContext {
  const KernelTable* kernels = nullptr;          // of the partition's task
  absl::Span<const DebugWatch> watches;          // of the signature
  absl::Span<const std::string> fused_ops = {};  // reductions that the session lets join
};

// Runs every pass on a partition, in the order of the table. The first error ends it.
absl::Status RunPasses(Graph& graph, const PassContext& context);

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_PASSES_PASSES_H_
