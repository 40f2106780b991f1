// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_DEBUG_GRAPHS_H_
#define SLUICE_WORKER_SERVICE_DEBUG_GRAPHS_H_

#include <string>
#include <vector>

#include "core/status.h"

namespace sluice::proto {
class GraphDef;
}

namespace sluice::worker {

// Writes the nodes of each device of a partition for the debugger, into that device's folder.
absl::Status DumpGraphs(const proto::GraphDef& partition, const std::vector<std::string>& urls);

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_DEBUG_GRAPHS_H_
