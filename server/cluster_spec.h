// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_SERVER_CLUSTER_SPEC_H_
#define SLUICE_SERVER_CLUSTER_SPEC_H_

#include <map>
#include <string>
#include <vector>

#include "core/status.h"
#include "transport/connector.h"

namespace sluice::server {

// The tasks of a cluster: job -> task index -> "host:port".
struct ClusterSpec {
  std::map<std::string, std::map<int, std::string>> jobs;

  // JSON: {"ps": ["localhost:2222"], "worker": {"0": "h:1", "2": "h:2"}}. INVALID_ARGUMENT gives
  // error and position: an unknown form, an invalid job name, an address used twice.
  static absl::StatusOr<ClusterSpec> Parse(const std::string& json);
  // Every task as "/job:ps/replica:0/task:0" with its address.
  std::vector<transport::PeerAddress> Tasks() const;
  // NOT_FOUND lists the existing tasks.
  absl::StatusOr<std::string> Address(const std::string& job, int task) const;
};

// The task of a process, from flags or from the environment variable TF_CONFIG ({"cluster": {...},
// "task": {"type": "ps", "index": 0}}).
struct TaskConfig {
  ClusterSpec cluster;
  std::string job;
  int task = 0;
  static absl::StatusOr<TaskConfig> FromTfConfig(const std::string& json);
};

std::string TaskName(const std::string& job, int task);

}  // namespace sluice::server

#endif  // SLUICE_SERVER_CLUSTER_SPEC_H_
