// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_GROUPS_ALGORITHMS_BINOMIAL_TREE_H_
#define SLUICE_WORKER_SERVICE_GROUPS_ALGORITHMS_BINOMIAL_TREE_H_

#include "worker_service/groups/algorithms/operands.h"

namespace sluice::worker {

// A broadcast along a binomial tree in pipelined chunks, after Thakur, Rabenseifner and Gropp,
// "Optimization of collective communication operations in MPICH", 2005. log2(n) steps; the source
// sends S log2(n) bytes, all members together S (n - 1).
//
// Only the source knows at first that it is the source. The first message to each member gives the
// source's rank, from which the member finds its place in the tree.
Routine BinomialTreeBroadcast(const Operands& values, Exchange& exchange);

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_GROUPS_ALGORITHMS_BINOMIAL_TREE_H_
