// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_GROUPS_AGREEMENT_H_
#define SLUICE_WORKER_SERVICE_GROUPS_AGREEMENT_H_

#include "worker_service/groups/round.h"
#include "worker_service/groups/routine.h"

namespace sluice::worker {

// Whether the members agree before the algorithm of the round begins. A member compares what it
// runs with the messages that it gets. The source of a broadcast gets none, nor does a member of an
// operation on no elements. A broadcast agrees in its first round only: its later rounds stay fast.
bool NeedsAgreement(const Round& round);

// Each member tells rank 0 whether it is a source, and rank 0 answers when all have: 2 (n - 1)
// messages. INVALID_ARGUMENT on all members if they run different operations, or if a broadcast
// does not have exactly one source. The round outlives the routine.
Routine Agree(Round& round);

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_GROUPS_AGREEMENT_H_
