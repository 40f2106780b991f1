// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_PASSES_DEBUG_WATCHES_H_
#define SLUICE_GRAPH_PASSES_DEBUG_WATCHES_H_

#include "graph/graph.h"
#include "graph/passes/passes.h"

namespace sluice::graph {

// Adds copies of watched outputs of a placed partition, and debug nodes that read the copies:
//
//   before:  a = ... ; b = Neg(a)
//   after:   __copy_a_0 = Copy(a) ; __dbg_a:0_0_DebugIdentity = DebugIdentity(__copy_a_0)
//            b = Neg(__copy_a_0, ^__dbg_a:0_0_DebugIdentity)
//
// Consumers read the copy, and run after the debug nodes. So the dump of a value is older than the
// dumps of values computed from it. Consumers of a reference still read the reference, and those of
// a NextIteration the NextIteration (only it may close a cycle). Consumers of an Enter or a
// NextIteration do not wait. All loops run one iteration at a time. A watch on a tensor that the
// partition does not have is ignored.
//
// Without watches it does nothing. REQUIRES: CheckWatches is OK.
// Errors:   FAILED_PRECONDITION or INVALID_ARGUMENT names the debug op and the tensor; if the watch
//           tolerates failures, that op is left out instead.
absl::Status InsertDebugWatches(Graph& graph, const PassContext& context);

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_PASSES_DEBUG_WATCHES_H_
