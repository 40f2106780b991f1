// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_PASSES_DEBUG_WATCHES_H_
#define SLUICE_GRAPH_PASSES_DEBUG_WATCHES_H_

#include "graph/graph.h"
#include "graph/passes/passes.h"

namespace sluice::graph {

// Puts copies behind watched outputs of a placed partition, and debug nodes behind the copies:
//
//   before:  a = ... ; b = Neg(a)
//   after:   __copy_a_0 = Copy(a) ; __dbg_a:0_0_DebugIdentity = DebugIdentity(__copy_a_0)
//            b = Neg(__copy_a_0, ^__dbg_a:0_0_DebugIdentity)
//
// Consumers read the copy, and run after the debug nodes: the dump of a value is older than those
// of what was computed from it. Consumers of a reference go on reading the reference, and those of
// a NextIteration the NextIteration (only it may close a cycle). Whoever reads an Enter or a
// NextIteration does not wait. All loops run one iteration at a time. A watch on what the partition
// does not have does nothing.
//
// Without watches it does nothing. REQUIRES: CheckWatches is OK.
// Errors:   FAILED_PRECONDITION or INVALID_ARGUMENT names the debug op and the tensor; where the
//           watch tolerates failures, that op is left out instead.
absl::Status InsertDebugWatches(Graph& graph, const PassContext& context);

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_PASSES_DEBUG_WATCHES_H_
