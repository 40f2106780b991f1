// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_CLUSTER_TWO_TASKS_H_
#define SLUICE_TESTS_CLUSTER_TWO_TASKS_H_

#include <memory>
#include <string>

#include "client/graph.h"
#include "server/server.h"

namespace sluice {

// A port of this machine that nobody listens at.
int FreePort();

// A ps and a worker that listen on loopback, in this process, connected by `transports`; a graph
// over both.
class TwoTasks {
 public:
  explicit TwoTasks(const master::SessionLimits& sessions = {},
                    const std::string& transports = "auto");
  server::Server& ps() { return *ps_; }
  server::Server& worker() { return *worker_; }
  std::string target() const { return worker_->target(); }

 private:
  std::unique_ptr<server::Server> ps_, worker_;
};

// x, y: fed floats; sum = x + y on the ps; product = sum * y on the worker; v: a variable on the
// ps, set and read by "set" and "read".
std::unique_ptr<client::Graph> SmallGraph();

}  // namespace sluice

#endif  // SLUICE_TESTS_CLUSTER_TWO_TASKS_H_
