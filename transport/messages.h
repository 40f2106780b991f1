// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_MESSAGES_H_
#define SLUICE_TRANSPORT_MESSAGES_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/runtime/device.h"
#include "core/runtime/kernel_table.h"
#include "core/runtime/rendezvous.h"

// The messages between master and workers, as plain structs. They are the same whether the other
// side is in this process or behind gRPC. Graphs are sent as GraphDef, once per signature. The
// messages of a step contain only tensors.

namespace sluice::proto {
class GraphDef;
class ConfigProto;
class StepStats;
}  // namespace sluice::proto

namespace sluice::transport {

// A master numbers its steps: `master` is its random incarnation, `number` counts up from 1.
struct StepId {
  uint64_t master = 0;
  uint64_t number = 0;
  bool operator==(const StepId&) const = default;
  template <typename H>
  friend H AbslHashValue(H h, const StepId& s) {
    return H::combine(std::move(h), s.master, s.number);
  }
  std::string ToString() const;
};

// GetStatus: the identity and the abilities of a task.
struct TaskStatus {
  std::string task;     // "/job:worker/replica:0/task:1"
  std::string version;  // Sluice's version
  std::vector<DeviceAttributes> devices;
  std::shared_ptr<const KernelTable> kernels;
  std::string no_gpu = "";  // the reason why it has no GPU; empty: it has one, or needs none
  // Groups that are being formed, and collective operations that wait: a line each.
  std::vector<std::string> waiting = {};
};

struct CreateWorkerSession {
  std::string session;
  bool isolate_state = false;
  uint64_t master = 0;  // the master's incarnation, for the lease
  std::string master_task;
  // For a session with its own cluster or its own choice of transports: the name of this task in
  // it, and all its tasks with their addresses.
  std::string task = "";
  std::vector<std::pair<std::string, std::string>> cluster = {};
  // With a cluster, which may be the server's: the allowed transports of its tensors, for
  // ParseTransports.
  std::string transport = "";
  // The task that forms the groups of collective operations. Empty: the first task by name.
  std::string collective_leader = "";
  // Collective operations on the memory of GPUs use NCCL where they can.
  bool collective_nccl = false;
  // The master is a TensorFlow server: the session is refused.
  bool from_tensorflow = false;
};

struct RegisterGraph {
  std::string session;
  // The task's partition: every node has a full device.
  std::shared_ptr<const proto::GraphDef> graph;
  std::vector<std::string> debug_urls = {};  // where the graph is written for the debugger
};

// The keys of a partial run's values between the master and the worker in its process. They are
// _Recv and _Send nodes with these `_edge` numbers, which no cut edge has.
inline constexpr uint64_t kClientEdge = uint64_t{1} << 63;
inline EdgeKey FeedKey(size_t index) { return {kClientEdge | index, 0, 0, 0}; }
inline EdgeKey FetchKey(size_t index) { return {kClientEdge | uint64_t{1} << 62 | index, 0, 0, 0}; }

struct RunGraph {
  std::string session;
  uint64_t graph = 0;  // the handle from RegisterGraph
  StepId step;
  // Steps of this master below this number have ended: the rest of their tensors is dropped.
  uint64_t oldest_live_step = 0;
  std::vector<Tensor> args;  // by _Arg index; only those of this partition are valid
  int num_retvals = 0;       // size of the retval vector (by _Retval index)
  bool trace = false;
  // For a partial run: the source of its feeds and the destination of its fetches. Only for the
  // partition of the master's own task; it is never sent.
  std::shared_ptr<Rendezvous> client;
};

struct RunGraphResult {
  std::vector<Parcel> retvals;              // those of other partitions are invalid tensors
  std::shared_ptr<proto::StepStats> stats;  // when traced
};

struct NamedTensor {
  std::string name;
  Tensor tensor;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_MESSAGES_H_
