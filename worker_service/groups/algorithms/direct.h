// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_GROUPS_ALGORITHMS_DIRECT_H_
#define SLUICE_WORKER_SERVICE_GROUPS_ALGORITHMS_DIRECT_H_

#include "worker_service/groups/algorithms/operands.h"

// Algorithms in which each member sends to each other member that needs its values. n: members, S:
// bytes of a member's larger operand. Large values travel in chunks, with a window: a member sends
// at most Chunks::kWindow chunks to each other member before it uses the first of theirs.

namespace sluice::worker {

// Each member sends its whole value to all others, and combines all values itself. One step;
// (n - 1) S sent by each member.
Routine DirectAllReduce(const Operands& values, Exchange& exchange);

// Each member combines one part of the values and sends the result to all. Two steps;
// 2 S (n - 1) / n sent by each member. The least that an all-reduce can send, as a ring does, in
// 2 steps instead of 2 (n - 1). Chunks of the second step follow those of the first.
Routine DirectPartsAllReduce(const Operands& values, Exchange& exchange);

// One step; S (n - 1) / n sent by each member.
Routine DirectReduceScatter(const Operands& values, Exchange& exchange);
Routine DirectAllGather(const Operands& values, Exchange& exchange);
Routine DirectAllToAll(const Operands& values, Exchange& exchange);

// The source sends to all others: (n - 1) S.
Routine DirectBroadcast(const Operands& values, Exchange& exchange);

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_GROUPS_ALGORITHMS_DIRECT_H_
