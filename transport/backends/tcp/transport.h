// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_TCP_TRANSPORT_H_
#define SLUICE_TRANSPORT_BACKENDS_TCP_TRANSPORT_H_

#include <memory>
#include <string>

#include "transport/admission/connection_limits.h"
#include "transport/backends/tcp/tls.h"
#include "transport/poll/poll_loop.h"
#include "transport/protocol/stream_sender.h"
#include "transport/transport.h"

namespace sluice::transport {

struct TcpTransportOptions {
  StreamIdentity self;
  std::string bind_host = "127.0.0.1";  // numeric, or a name of this machine
  int connections = 1;  // of one stream; if more than one, they carry large tensors in turns
  std::shared_ptr<PollLoop> loop = nullptr;
  // A peer that sends nothing for so long ends its stream in the middle of a tensor, or while one
  // is awaited: its process is suspended, or the network lost. A connection that never says whose
  // it is ends too.
  absl::Duration silence = absl::Seconds(10);
  ConnectionLimits limits = {};              // of the port
  std::shared_ptr<const Tls> tls = nullptr;  // if null, the bytes are sent unencrypted
};

// TCP without gRPC: frames and content are sent unchanged, from tensor memory to tensor memory.
// kUnavailable if there is no free port.
absl::StatusOr<std::unique_ptr<Transport>> CreateTcpTransport(const TcpTransportOptions& options);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BACKENDS_TCP_TRANSPORT_H_
