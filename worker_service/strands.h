// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_STRANDS_H_
#define SLUICE_WORKER_SERVICE_STRANDS_H_

#include "worker_service/executable.h"

namespace sluice::worker {

// Finds strands. In a strand, each node is the only reader of the node before it, and all its other
// inputs are also inputs of the first node. Only the first node waits for inputs, and all are live
// or dead together. The executor runs a strand as one entry of its list; its nodes have no slots
// and state words of their own.
//
// REQUIRES: nodes, frames and edges are complete. Sets nodes[i].strand, strands, strand_nodes and
// strand_takes; moves the edges inside a strand behind their node's end_edge.
void FindStrands(Executable& executable);

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_STRANDS_H_
