// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_MASTER_PIPELINE_H_
#define SLUICE_MASTER_PIPELINE_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "graph/partition.h"
#include "graph/place.h"
#include "master/cluster.h"
#include "master/compiled_graph.h"

// The stages of a graph, in order:
//
//   at create and at extend     Import           graph/import.h: checks the client's nodes, adds them
//   (on the session's graph)    LowerFunctions   graph/lowering/: bodies take the place of calls
//                               Place            graph/place.h: a device for every node
//
//   for each signature          Connect          client_edges.h: a callable's tensor connections
//   (on a copy)                 ApplySignature   graph/signature.h: feeds and fetches; prunes
//                               SplitNcclOps     graph/passes/: reductions between GPUs
//                               Partition        graph/partition.h: one graph for each task
//                               RunPasses        graph/passes/: optimiser passes on each partition
//                               Register         registration.h: the workers get their partitions
//
// Shapes are inferred where a graph is built (client/graph.h), not here. A worker compiles its
// partition in worker_service/executable.cc, and function bodies in worker_service/functions.cc.

namespace sluice::proto {
class GraphDef;
}

namespace sluice::master {

// At create and extend: imports the nodes of `def`. After an error, `graph` may hold a part of it.
absl::Status AddNodes(const proto::GraphDef& def, graph::Graph& graph);

// Called after AddNodes, once the session's devices are known: lowers the functions that the nodes
// from `first_id` on call. After an error, `graph` may hold a part of them.
absl::Status LowerFunctions(const std::vector<graph::PlaceableDevice>& devices, int first_id,
                            graph::Graph& graph);

// Called after LowerFunctions: places every node without a device.
absl::Status PlaceNodes(const std::vector<graph::PlaceableDevice>& devices,
                        const graph::PlaceOptions& options, graph::Graph& graph);

struct CompileContext {
  std::string session;
  std::string client_device;  // device of feeds and fetches: the master task's CPU:0
  Cluster* cluster;
  absl::Time deadline;
  const std::vector<graph::PlaceableDevice>* devices = nullptr;  // of the session
  // The session's devices, with their kernels. Outlives the call.
  const std::vector<transport::TaskStatus>* tasks = nullptr;
  bool partial_run = false;  // feeds and fetches are sent while a step runs
  std::vector<std::pair<std::string, std::string>> connections;  // of a callable: from, to
  absl::Span<const std::string> fused_ops = {};  // reductions that may join; outlive the call
  bool collective_nccl = false;                  // collective operations use NCCL where they can
};

// For a signature: makes registered partitions from the session's graph, which does not change.
absl::StatusOr<std::shared_ptr<const CompiledGraph>> Compile(const graph::Graph& graph,
                                                             const graph::Signature& signature,
                                                             const CompileContext& context);

}  // namespace sluice::master

#endif  // SLUICE_MASTER_PIPELINE_H_
