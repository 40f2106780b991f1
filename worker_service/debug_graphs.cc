// SPDX-License-Identifier: Apache-2.0
#include "worker_service/debug_graphs.h"

#include <map>

#include "core/io/debug_dump.h"
#include "proto/graph.pb.h"

namespace sluice::worker {

absl::Status DumpGraphs(const proto::GraphDef& partition, const std::vector<std::string>& urls) {
  if (urls.empty()) return absl::OkStatus();
  std::map<std::string, proto::GraphDef> by_device;
  for (const proto::NodeDef& node : partition.node()) *by_device[node.device()].add_node() = node;
  for (auto& [device, graph] : by_device) {
    *graph.mutable_versions() = partition.versions();
    SLUICE_RETURN_IF_ERROR(DumpDebugGraph(device, graph.SerializeAsString(), urls));
  }
  return absl::OkStatus();
}

}  // namespace sluice::worker
