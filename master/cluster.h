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

// The tasks of the cluster as a master reaches them: itself directly, the others through a
// transport.
//
// Owner:    Master.
// Threads:  any.
class Cluster {
 public:
  struct Options {
    std::string task;                           // own
    transport::WorkerApi* worker = nullptr;     // own; outlives this
    std::vector<transport::PeerAddress> peers;  // the others
    transport::Connector* connector = nullptr;  // outlives this
    bool rename = false;       // a session's own: tasks and devices are called as it calls them
    std::string address = "";  // by which the others reach this task
  };
  explicit Cluster(Options options);

  const std::string& own_task() const { return options_.task; }
  // Own task first, then the others by name. A filter is a partial device spec; own always stays.
  // INVALID_ARGUMENT names a malformed filter.
  absl::StatusOr<std::vector<std::string>> Tasks(
      const std::vector<std::string>& device_filters) const;
  // All tasks with their addresses.
  std::vector<std::pair<std::string, std::string>> Addresses() const;
  // "at host:port" for errors.
  std::string AddressOf(absl::string_view task) const;
  absl::StatusOr<transport::WorkerApi*> Worker(absl::string_view task);

  // Asks all `tasks` for their status, again and again until each has answered or `deadline` is
  // over: UNAVAILABLE (ABORTED travels to the client) then names every silent task, its address and
  // its last error, and how many did answer. A task with another token (UNAUTHENTICATED), or that
  // cannot be reached as TLS is set there and here (FAILED_PRECONDITION), is not waited for; nor are
  // TensorFlow servers, which are all named (FAILED_PRECONDITION). With `report` the log says every
  // 5 s what is waited for.
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
