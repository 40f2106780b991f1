// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_ADMISSION_CONNECTION_GATE_H_
#define SLUICE_TRANSPORT_ADMISSION_CONNECTION_GATE_H_

#include <memory>
#include <optional>

#include "transport/admission/connection_table.h"
#include "transport/poll/descriptor.h"

namespace sluice::transport {

// Accepts the connections of a port within limits, also when the process has no descriptor left.
//
// Owner:    the port.
// Threads:  one at a time; connections() any.
class ConnectionGate {
 public:
  ConnectionGate(ConnectionLimits limits, AdmissionLog* log);  // `log` outlives this

  struct Accepted {
    Descriptor socket;
    std::shared_ptr<OpenConnection> entry;  // in the table, which forgets it by Remove
  };
  // The next connection that waits at `listener`. None too after a few, so that the loop closes
  // those that gave way.
  std::optional<Accepted> Accept(int listener);
  // Called at regular times unless it is idle.
  void Look() {
    if (!reserve_.valid()) reserve_ = Spare();
  }
  // No connection is open, and there is nothing to do until one comes.
  bool IsIdle() const { return reserve_.valid() && table_.IsIdle(); }
  ConnectionTable& connections() { return table_; }

 private:
  static Descriptor Spare();
  void RefuseOne(int listener);

  AdmissionLog* const log_;
  ConnectionTable table_;
  Descriptor reserve_;  // is closed to accept a connection when the process has no other descriptor
  unsigned accepted_ = 0;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_ADMISSION_CONNECTION_GATE_H_
