// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_DOUBLES_SWITCHBOARD_H_
#define SLUICE_TESTS_DOUBLES_SWITCHBOARD_H_

#include <memory>
#include <string>

#include "transport/connector.h"

namespace sluice::transport {

// A Switchboard joins tasks that live in one process, without servers: a whole cluster inside one
// test.
//
// Owner:    shared by the transports made with it.
// Threads:  any. Tensors are delivered, by reference, on its own thread, in the order in which they
//           were sent; no other code runs inside Send.
class Switchboard {
 public:
  Switchboard();
  ~Switchboard();  // delivers pending tensors
  // Sets the objects that answer calls to a task and receive its tensors. Both outlive their
  // Unplug, which waits for a delivery in progress. The task is up between Plug and Unplug; Unplug
  // reports a break to all other tasks.
  void Plug(const std::string& task, WorkerApi* worker, TensorSink* sink);
  void Unplug(const std::string& task);

  struct State;

 private:
  friend absl::StatusOr<std::unique_ptr<Connector>> CreateSwitchboardConnector(
      const std::string&, std::shared_ptr<Switchboard>);
  const std::shared_ptr<State> state_;
};

// The transport of `task`. There is no credit, because an announced tensor would lie in the same
// memory as a delivered one.
absl::StatusOr<std::unique_ptr<Connector>> CreateSwitchboardConnector(
    const std::string& task, std::shared_ptr<Switchboard> switchboard);

}  // namespace sluice::transport

#endif  // SLUICE_TESTS_DOUBLES_SWITCHBOARD_H_
