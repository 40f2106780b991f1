// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_PARTITION_H_
#define SLUICE_GRAPH_PARTITION_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace sluice::graph {

// graph/argument_memory.h makes these options; a test may have its own.
struct PartitionOptions {
  // True when this output (input) of the node lives in host memory though its device has its own.
  std::function<bool(const Node&, int output)> host_output;
  std::function<bool(const Node&, int input)> host_input;
};

// The nodes of one task after cutting: per device sub-graphs without edges between them.
struct TaskPartition {
  std::string task;              // "/job:ps/replica:0/task:0"
  std::unique_ptr<Graph> graph;  // nodes of all its devices, joined only by _Send/_Recv
};

// Cuts a placed graph between devices. Every cut edge becomes a _Send
// (_HostSend) and a _Recv (_HostRecv) on each side with attributes tensor_name, send_device,
// recv_device, send_device_incarnation = 0, client_terminated = false and `_edge` (int: the edge's
// number, dense from 0, unique in this graph); consumers of one output in one device share a recv
// (not for references); control edges carry an empty float. Frames that cross devices get a control
// loop per frame and device, so that every recv inside a loop fires once an iteration. Consumes
// `graph`.
absl::StatusOr<std::vector<TaskPartition>> Partition(std::unique_ptr<Graph> graph,
                                                     const PartitionOptions& options);

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_PARTITION_H_
