// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_MASTER_CONFIG_H_
#define SLUICE_MASTER_CONFIG_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/status.h"
#include "transport/connector.h"

namespace sluice::proto {
class ConfigProto;
}

namespace sluice::master {

// The fields of its ConfigProto that a session applies. transport/options_table.h lists the
// treatment of every field.
struct SessionConfig {
  bool allow_soft_placement = false;
  bool log_device_placement = false;
  bool isolate_session_state = false;
  bool static_graph = false;         // experimental.optimize_for_static_graph: no extension
  bool no_partition_graphs = false;  // refuses steps that ask for them
  int64_t operation_timeout_ms = 0;  // 0: none
  int64_t connect_timeout_ms = 0;    // 0: the master's default
  // Reports costs every so many steps of a signature, after the first so many. 0: never.
  int64_t costs_every = 0;
  int64_t costs_after = 0;
  std::vector<std::string> device_filters;
  std::vector<transport::PeerAddress> cluster;  // the session's own cluster; empty: the server's
  std::string transport;                        // empty: the servers choose
  // The task that forms the groups of collective operations; empty: the default.
  std::string collective_leader;
  bool collective_nccl = false;  // collective operations use NCCL where they can
  // The ops of reductions that may join: those of the rewrite of scoped allocators, if it is on.
  std::vector<std::string> fused_ops;
  std::vector<std::string> ignored;  // fields that are set, for the log

  static absl::StatusOr<SessionConfig> From(const proto::ConfigProto& config);
};

}  // namespace sluice::master

#endif  // SLUICE_MASTER_CONFIG_H_
