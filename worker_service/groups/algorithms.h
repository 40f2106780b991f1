// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_GROUPS_ALGORITHMS_H_
#define SLUICE_WORKER_SERVICE_GROUPS_ALGORITHMS_H_

#include <string>
#include <vector>

#include "core/runtime/collectives.h"
#include "worker_service/groups/exchange.h"
#include "worker_service/groups/routine.h"

namespace sluice::worker {

// Runs the member's part of a collective operation, by the algorithm that its hint names, or that
// fits size, members and hosts. The shapes of the call are checked already. `call` and `exchange`
// outlive the routine.
Routine RunCollective(const CollectiveCall& call, Exchange& exchange);

// INVALID_ARGUMENT, with the names that there are, unless the operation has such an algorithm.
// "auto" and the hints of TensorFlow ("ring", "nccl") are accepted for all operations.
absl::Status CheckHint(CollectiveOp op, const std::string& hint);

// The names of the operation's algorithms, sorted.
std::vector<std::string> AlgorithmsOf(CollectiveOp op);

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_GROUPS_ALGORITHMS_H_
