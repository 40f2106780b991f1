// SPDX-License-Identifier: Apache-2.0
#include "master/registration.h"

#include <memory>

#include "absl/time/clock.h"
#include "core/debug_watch.h"
#include "graph/import.h"
#include "master/pending_replies.h"
#include "proto/graph.pb.h"

namespace sluice::master {

absl::Status Register(const std::vector<graph::TaskPartition>& parts, const std::string& session,
                      Cluster& cluster, absl::Time deadline, CompiledGraph& compiled) {
  const std::vector<std::string> debug_urls = UrlsOf(compiled.signature.watches);
  PendingReplies<uint64_t> handles(parts.size());
  transport::CallOptions options;
  options.deadline = deadline;
  for (size_t i = 0; i < parts.size(); ++i) {
    auto def = std::make_shared<proto::GraphDef>();
    SLUICE_RETURN_IF_ERROR(graph::Export(*parts[i].graph, def.get()));
    CompiledGraph::Partition& partition = compiled.partitions.emplace_back();
    partition.task = parts[i].task;
    partition.graph = def;
    SLUICE_ASSIGN(partition.worker, cluster.Worker(partition.task));
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    const CompiledGraph::Partition& partition = compiled.partitions[i];
    partition.worker->Register({session, partition.graph, debug_urls}, options, handles.Reply(i));
  }
  auto answers = handles.Wait();
  for (size_t i = 0; i < parts.size(); ++i) {
    if (answers[i].ok()) compiled.partitions[i].handle = *answers[i];
  }
  return FirstError(answers);
}

void Deregister(const CompiledGraph& compiled, const std::string& session) {
  transport::CallOptions options;
  options.deadline = absl::Now() + absl::Seconds(10);
  for (const CompiledGraph::Partition& partition : compiled.partitions) {
    if (partition.handle != 0)
      partition.worker->Deregister(session, partition.handle, options, [](const absl::Status&) {});
  }
}

}  // namespace sluice::master
