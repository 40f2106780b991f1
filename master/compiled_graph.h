// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_MASTER_COMPILED_GRAPH_H_
#define SLUICE_MASTER_COMPILED_GRAPH_H_

#include <memory>
#include <string>
#include <vector>

#include "graph/signature.h"
#include "transport/worker_api.h"

namespace sluice::proto {
class GraphDef;
}

namespace sluice::master {

// A compiled signature: a registered partition on every task that it needs.
//
// Owner:    Session; shared by running steps. Immutable.
struct CompiledGraph {
  struct Partition {
    std::string task;
    transport::WorkerApi* worker = nullptr;  // outlives the session
    uint64_t handle = 0;
    std::shared_ptr<const proto::GraphDef> graph;
  };
  graph::Signature signature;
  std::vector<DType> feed_types;  // by feed; kInvalid: unknown
  // for a partial run: the feeds that each fetch depends on
  std::vector<std::vector<int>> fetch_needs;
  // the one of the master's own task, if any, has args and retvals
  std::vector<Partition> partitions;
};

}  // namespace sluice::master

#endif  // SLUICE_MASTER_COMPILED_GRAPH_H_
