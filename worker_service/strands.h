// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_STRANDS_H_
#define SLUICE_WORKER_SERVICE_STRANDS_H_

#include "worker_service/executable.h"

namespace sluice::worker {

// Finds strands: nodes of which each is the only reader of the one before, and that otherwise read
// only what the first one reads. Nothing but the first has to be waited for, and all live or are
// dead with it: the executor runs them one after the other as one entry of its list, without slots
// and state words of their own.
//
// REQUIRES: nodes, frames and edges are complete. Sets nodes[i].strand, strands, strand_nodes and
// strand_takes; moves the edges that a strand hands on itself behind their node's end_edge.
void FindStrands(Executable& executable);

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_STRANDS_H_
