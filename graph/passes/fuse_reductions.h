// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_PASSES_FUSE_REDUCTIONS_H_
#define SLUICE_GRAPH_PASSES_FUSE_REDUCTIONS_H_

#include "graph/graph.h"
#include "graph/passes/passes.h"

namespace sluice::graph {

// Joins small reductions of one group into one, if the session turns on TensorFlow's rewrite of
// scoped allocators for their op:
//
//   before:  x = CollectiveReduce[instance_key=4](a) ; y = CollectiveReduce[instance_key=5](b)
//   after:   r = CollectiveReduce[instance_key=4](ConcatV2(Reshape(a), Reshape(b), axis))
//            x/split = SplitV(r, sizes, axis) ; x = Reshape(x/split:0) ; y = Reshape(x/split:1)
//
// The parts have known shapes, are on one CPU, have equal attributes apart from their instance
// keys, do not depend on one another, and run in every step: they are in no loop and no branch.
// No wait_for concerns them.
// They are taken in the order of their instance keys, up to 32 MB. All members of a group must
// join alike. So the choice depends on keys, dtypes, shapes and dependencies only, and the layout
// is the name of the joined operation, which members compare.
absl::Status FuseReductions(Graph& graph, const PassContext& context);

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_PASSES_FUSE_REDUCTIONS_H_
