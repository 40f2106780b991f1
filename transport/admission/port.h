// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_ADMISSION_PORT_H_
#define SLUICE_TRANSPORT_ADMISSION_PORT_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/time/time.h"
#include "transport/admission/connection_table.h"
#include "transport/poll/descriptor.h"

namespace sluice::transport {

// The port of a task's gRPC server. gRPC itself accepts every connection, and answers nobody any
// more once descriptors have run out. So this class accepts them, within limits, and hands each one
// to gRPC when its first bytes have arrived.
//
// from      when                                    to        does
// accepted  the limits have no room for it          (gone)    closes it
// accepted  else                                    silent    waits for the first bytes
// silent    HTTP/2's preface or a TLS handshake     gRPC's    hands it over, with these bytes unread
// silent    the same, of a harmful address          waiting   nothing
// waiting   its turn: a few in a second             gRPC's    hands it over
// silent    other bytes, its end, or the deadline   (gone)    closes it
//
// Owner:    the gRPC server.
// Threads:  any; `hand_over` runs on the port's own thread.
class Port {
 public:
  struct Options {
    std::string address;  // as ListenAt takes it
    ConnectionLimits limits = {};
    absl::Duration first_bytes = absl::Seconds(10);  // the deadline
    // Takes a connection. `listener` is the socket that accepted it.
    std::function<void(int listener, Descriptor connection)> hand_over;
  };

  virtual ~Port() = default;
  virtual int number() const = 0;
  virtual ConnectionTable& connections() = 0;
  // From here on connections are accepted. Before, they wait.
  virtual absl::Status Accept() = 0;
  // When it returns, `hand_over` is not called any more. Idempotent.
  virtual void Stop() = 0;
};

// UNAVAILABLE names the address and the system's error if the address cannot be bound. `log`
// outlives the port.
absl::StatusOr<std::unique_ptr<Port>> OpenPort(Port::Options options, AdmissionLog* log);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_ADMISSION_PORT_H_
