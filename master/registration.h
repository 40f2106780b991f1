// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_MASTER_REGISTRATION_H_
#define SLUICE_MASTER_REGISTRATION_H_

#include <string>
#include <vector>

#include "absl/time/time.h"
#include "graph/partition.h"
#include "master/cluster.h"
#include "master/compiled_graph.h"

namespace sluice::master {

// Sends each partition to its task, waits for all answers, and fills in `compiled.partitions`.
// Returns the first error; then the partitions of other tasks are registered.
absl::Status Register(const std::vector<graph::TaskPartition>& parts, const std::string& session,
                      Cluster& cluster, absl::Time deadline, CompiledGraph& compiled);

// Asks the workers to drop the partitions, and does not wait for them.
void Deregister(const CompiledGraph& compiled, const std::string& session);

}  // namespace sluice::master

#endif  // SLUICE_MASTER_REGISTRATION_H_
