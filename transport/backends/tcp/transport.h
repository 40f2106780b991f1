// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_TCP_TRANSPORT_H_
#define SLUICE_TRANSPORT_BACKENDS_TCP_TRANSPORT_H_

#include <memory>
#include <string>

#include "transport/backends/tcp/tls.h"
#include "transport/poll/poll_loop.h"
#include "transport/protocol/stream_sender.h"
#include "transport/transport.h"

namespace sluice::transport {

struct TcpTransportOptions {
  StreamIdentity self;
  std::string bind_host = "127.0.0.1";  // numeric, or a name of this machine
  int connections = 1;                  // of a stream; more than one carry large tensors in turns
  std::shared_ptr<PollLoop> loop = nullptr;
  std::shared_ptr<const Tls> tls = nullptr;  // null: the bytes are sent as they are
};

// TCP without gRPC: frames and content as they are, from the tensor's memory into the tensor's
// memory. kUnavailable when no port can be had.
absl::StatusOr<std::unique_ptr<Transport>> CreateTcpTransport(const TcpTransportOptions& options);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BACKENDS_TCP_TRANSPORT_H_
