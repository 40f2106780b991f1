// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CLIENT_OPEN_SESSION_H_
#define SLUICE_CLIENT_OPEN_SESSION_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/time/time.h"
#include "transport/master_api.h"

namespace sluice::client {

// The arguments of OpenSession. All references outlive the call.
struct OpenSessionArgs {
  transport::MasterApi* master = nullptr;
  std::shared_ptr<const proto::GraphDef> graph;
  std::shared_ptr<const proto::ConfigProto> config;
  std::string target;                            // "": a task of this process
  absl::Time deadline = absl::InfiniteFuture();  // of the whole call
  absl::Duration connect_timeout;                // time budget for tasks that are not up
  std::function<bool()> go_on;                   // false ends the call soon
};

// Creates a session at a master. While the master, or a task that it needs, is not up, this tries
// again, and logs every 5 s what it waits for. Blocks.
//
// Errors:   UNAVAILABLE or ABORTED after connect_timeout: names the tasks, their addresses and last
//           errors. CANCELLED: go_on returned false.
absl::StatusOr<transport::CreateSessionResult> OpenSession(const OpenSessionArgs& args);

// The time budget of a session for tasks that are not up: connect_timeout_in_ms of its
// configuration, SLUICE_CONNECT_TIMEOUT (in seconds) of the environment, or 30 s. INVALID_ARGUMENT:
// a number is negative.
absl::StatusOr<absl::Duration> ConnectTimeoutOf(const proto::ConfigProto& config);

}  // namespace sluice::client

#endif  // SLUICE_CLIENT_OPEN_SESSION_H_
