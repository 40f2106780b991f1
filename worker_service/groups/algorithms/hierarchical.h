// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_GROUPS_ALGORITHMS_HIERARCHICAL_H_
#define SLUICE_WORKER_SERVICE_GROUPS_ALGORITHMS_HIERARCHICAL_H_

#include "worker_service/groups/algorithms/operands.h"

namespace sluice::worker {

// An all-reduce in three steps: the first member of each host combines the values of its host, these
// members reduce between hosts, and each sends the result to its host. Only one member of each host
// sends between hosts: 2 S (h - 1) / h bytes for h hosts. Within a host, a member sends S bytes.
Routine HierarchicalAllReduce(const Operands& values, Exchange& exchange);

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_GROUPS_ALGORITHMS_HIERARCHICAL_H_
