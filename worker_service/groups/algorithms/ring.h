// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_GROUPS_ALGORITHMS_RING_H_
#define SLUICE_WORKER_SERVICE_GROUPS_ALGORITHMS_RING_H_

#include "worker_service/groups/algorithms/operands.h"

// Rings in pipelined chunks, after Patarasu and Yuan, "Bandwidth optimal all-reduce algorithms for
// clusters of workstations", 2009. Each member receives from one neighbour and sends to the other.
// Members of one host are neighbours, so each link between hosts carries the values once.
//
// n: members, S: bytes of a member's larger operand. The half types round after each addition.

namespace sluice::worker {

// n - 1 steps; S (n - 1) / n sent by each member.
Routine RingReduceScatter(const Operands& values, Exchange& exchange);
Routine RingAllGather(const Operands& values, Exchange& exchange);

// The first and then the second: 2 (n - 1) steps; 2 S (n - 1) / n sent by each member.
Routine RingAllReduce(const Operands& values, Exchange& exchange);

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_GROUPS_ALGORITHMS_RING_H_
