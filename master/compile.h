#ifndef SLUICE_MASTER_COMPILE_H_
#define SLUICE_MASTER_COMPILE_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "graph/partition.h"
#include "master/cluster.h"
#include "master/compiled_graph.h"

namespace sluice::master {

struct CompileContext {
  std::string session;
  std::string client_device;  // where feeds enter and fetches leave: the master task's CPU:0
  Cluster* cluster;
  absl::Time deadline;
  graph::PartitionOptions partition;
  // Of the session: the debugger's ops must have kernels there. Outlives the call.
  const std::vector<transport::TaskStatus>* tasks = nullptr;
  bool partial_run = false;  // feeds and fetches come and go while a step runs
  std::vector<std::pair<std::string, std::string>> connections;  // of a callable: from, to
};

// The pipeline from a placed graph to registered partitions. `graph` is the session's, and stays as
// it is.
absl::StatusOr<std::shared_ptr<const CompiledGraph>> Compile(const graph::Graph& graph,
                                                             const graph::Signature& signature,
                                                             const CompileContext& context);

// Tells the workers to forget the partitions, and does not wait for them.
void Deregister(const CompiledGraph& compiled, const std::string& session);

}  // namespace sluice::master

#endif  // SLUICE_MASTER_COMPILE_H_
