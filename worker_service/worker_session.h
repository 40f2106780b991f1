#ifndef SLUICE_WORKER_SERVICE_WORKER_SESSION_H_
#define SLUICE_WORKER_SERVICE_WORKER_SESSION_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "core/device.h"
#include "core/kernel_registry.h"
#include "worker_service/executable.h"
#include "worker_service/peers.h"

namespace sluice::worker {

// A master's session on this worker: its graphs, and the kernels with state, which all its
// signatures share.
//
// Owner:    Worker; running steps share it.
// Threads:  any; one mutex.
class WorkerSession {
 public:
  struct Task {  // what the session may use of its worker; outlives it
    std::string name;
    std::vector<Device*> devices;
    const KernelRegistry* kernels;
    Peers* peers;
  };
  WorkerSession(std::string handle, bool isolated, uint64_t master, Task task);

  // Compiles a partition; its handle.
  absl::StatusOr<uint64_t> Register(const graph::Graph& graph);
  void Deregister(uint64_t graph);
  // ABORTED when the handle is unknown: the worker was restarted.
  absl::StatusOr<std::shared_ptr<const Executable>> Find(uint64_t graph) const;
  // Where the resources of a device live for this session: shared by all sessions unless isolated.
  ResourceStore& resources(size_t device);
  void ClearContainers(const std::vector<std::string>& containers);
  uint64_t master() const { return master_; }

 private:
  absl::StatusOr<std::shared_ptr<const Kernel>> KernelFor(const NodeSpec& node);
  absl::StatusOr<NodeSpec> WithPeer(const NodeSpec& node) const;

  const std::string handle_;
  const uint64_t master_;
  const Task task_;
  std::vector<std::unique_ptr<ResourceStore>> own_resources_;  // by device; empty unless isolated
  mutable absl::Mutex mu_;
  uint64_t next_graph_ ABSL_GUARDED_BY(mu_) = 1;
  absl::flat_hash_map<uint64_t, std::shared_ptr<const Executable>> graphs_ ABSL_GUARDED_BY(mu_);
  absl::flat_hash_map<std::string, std::shared_ptr<const Kernel>> stateful_
      ABSL_GUARDED_BY(mu_);  // device;node name;op
};

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_WORKER_SESSION_H_
