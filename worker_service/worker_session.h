// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_WORKER_SESSION_H_
#define SLUICE_WORKER_SERVICE_WORKER_SESSION_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "core/runtime/device.h"
#include "core/runtime/kernel_registry.h"
#include "worker_service/executable.h"
#include "worker_service/groups/step_collectives.h"
#include "worker_service/peers/peers.h"
#include "worker_service/task_options.h"
#include "worker_service/trace.h"

namespace sluice::worker {

// A master's session on this worker: its graphs, and the stateful kernels that all its signatures
// share.
//
// Owner:    Worker; running steps share it.
// Threads:  any; one mutex.
class WorkerSession {
 public:
  struct Task {  // the worker's parts that the session may use; outlives it
    std::string name;
    std::vector<Device*> devices;
    std::vector<std::string> device_names;  // with the session's names
    const KernelRegistry* kernels;
    Peers* peers;
    WorkQueue* pool = nullptr;  // inter-op
    bool own_cluster = false;   // its own cluster or its own transports: its peers end with it
    TaskRules rules;
    SessionGroups groups = {};
    std::shared_ptr<const void> function_use;  // held by functions, some of which outlive sessions
  };
  WorkerSession(std::string handle, bool isolated, uint64_t master, Task task);
  ~WorkerSession();  // drops the tensors that it keeps under handles

  // Compiles a partition and returns its handle.
  absl::StatusOr<uint64_t> Register(const graph::Graph& graph);
  void Deregister(uint64_t graph);
  struct Registered {
    std::shared_ptr<const Executable> executable;
    std::shared_ptr<const TraceNames> names;
    std::shared_ptr<CollectiveUses> collectives;
  };
  // ABORTED if the handle is unknown: the worker was restarted.
  absl::StatusOr<Registered> Find(uint64_t graph) const;
  // The resources of a device for this session. All sessions share them unless isolated.
  ResourceStore& resources(size_t device);
  void ClearContainers(const std::vector<std::string>& containers);
  const std::vector<std::string>& device_names() const { return task_.device_names; }
  const std::string& handle() const { return handle_; }
  uint64_t master() const { return master_; }
  const SessionGroups& groups() const { return task_.groups; }

 private:
  absl::StatusOr<std::shared_ptr<const Kernel>> KernelFor(const NodeSpec& node, uint64_t graph);
  // The functions that the kernels of `graph` may call.
  absl::StatusOr<std::shared_ptr<FunctionCaller>> FunctionsOf(const graph::Graph& graph);
  std::string KeptTensors() const;
  absl::StatusOr<NodeSpec> WithPeer(const NodeSpec& node) const;

  const std::string handle_;
  const uint64_t master_;
  const Task task_;
  // By device; empty unless isolated. Functions that outlive the session keep them too.
  std::vector<std::shared_ptr<ResourceStore>> own_resources_;
  mutable absl::Mutex mu_;
  uint64_t next_graph_ ABSL_GUARDED_BY(mu_) = 1;
  absl::flat_hash_map<uint64_t, Registered> graphs_ ABSL_GUARDED_BY(mu_);
  absl::flat_hash_map<std::string, std::shared_ptr<const Kernel>> stateful_
      ABSL_GUARDED_BY(mu_);  // device;node name;op, or device;graph;function;op
};

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_WORKER_SESSION_H_
