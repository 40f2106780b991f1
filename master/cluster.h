// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_MASTER_CLUSTER_H_
#define SLUICE_MASTER_CLUSTER_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "transport/connector.h"

namespace sluice::master {

// The tasks of the cluster and the master's connections to them: direct to itself, by a transport
// to the others.
//
// Owner:    Master.
// Threads:  any.
class Cluster {
 public:
  struct Options {
    std::string task;                           // the master's task
    transport::WorkerApi* worker = nullptr;     // of the master's task; outlives this
    std::vector<transport::PeerAddress> peers;  // the other tasks
    transport::Connector* connector = nullptr;  // outlives this
    bool rename = false;  // a session's own cluster: tasks and devices have the session's names
    std::string address = "";  // the address at which the others reach this task
  };
  explicit Cluster(Options options);

  const std::string& own_task() const { return options_.task; }
  // The master's task first, then the others by name. A filter is a partial device spec; the
  // master's task always stays. INVALID_ARGUMENT names a malformed filter.
  absl::StatusOr<std::vector<std::string>> Tasks(
      const std::vector<std::string>& device_filters) const;
  // All tasks with their addresses.
  std::vector<std::pair<std::string, std::string>> Addresses() const;
  // INVALID_ARGUMENT names the cluster's tasks if `task` is not one of them.
  absl::Status CheckTask(absl::string_view task) const;
  // "at host:port" for errors.
  std::string AddressOf(absl::string_view task) const;
  absl::StatusOr<transport::WorkerApi*> Worker(absl::string_view task);

  // Asks all `tasks` for their status until each has answered or `deadline` passes. Then
  // UNAVAILABLE (the client gets ABORTED) names every silent task with its address and last error,
  // and the number of tasks that answered. Three kinds of task end the wait at once: those with
  // another token (UNAUTHENTICATED), those that TLS settings make unreachable
  // (FAILED_PRECONDITION), and TensorFlow servers, which are all named (FAILED_PRECONDITION). With
  // `report`, the log lists the silent tasks every 5 s.
  absl::StatusOr<std::vector<transport::TaskStatus>> AwaitTasks(
      const std::vector<std::string>& tasks, absl::Time deadline, CancelToken* cancel,
      bool report = true);

 private:
  const Options options_;
  absl::Mutex mu_;
  absl::flat_hash_map<std::string, std::unique_ptr<transport::WorkerApi>> workers_
      ABSL_GUARDED_BY(mu_);
};

}  // namespace sluice::master

#endif  // SLUICE_MASTER_CLUSTER_H_
