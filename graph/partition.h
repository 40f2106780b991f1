// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_PARTITION_H_
#define SLUICE_GRAPH_PARTITION_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace sluice::graph {

// graph/argument_memory.h makes these options; a test may make its own.
struct PartitionOptions {
  // True if this output (input) of the node is in host memory although its device has its own
  // memory.
  std::function<bool(const Node&, int output)> host_output;
  std::function<bool(const Node&, int input)> host_input;
};

// The nodes of one task after partitioning: a subgraph per device, without edges between them.
struct TaskPartition {
  std::string task;              // "/job:ps/replica:0/task:0"
  std::unique_ptr<Graph> graph;  // nodes of all its devices, joined only by _Send/_Recv
};

// Partitions a placed graph by device. Every cut edge becomes a _Send (_HostSend) and a _Recv
// (_HostRecv). Both have the attributes tensor_name, send_device, recv_device,
// send_device_incarnation = 0, client_terminated = false and `_edge` (int: the edge's number, dense
// from 0, unique in this graph; with the bit kToDeviceMemory if it is received in a device's own
// memory). Consumers of one output on one device share a recv (not for references). Control edges
// carry an empty float. A frame on several devices gets a control loop on each, so that every recv
// inside a loop fires once per iteration. Consumes `graph`.
absl::StatusOr<std::vector<TaskPartition>> Partition(std::unique_ptr<Graph> graph,
                                                     const PartitionOptions& options);

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_PARTITION_H_
