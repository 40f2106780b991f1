// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_GRPC_TRANSPORT_H_
#define SLUICE_TRANSPORT_BACKENDS_GRPC_TRANSPORT_H_

#include <memory>

#include "absl/time/time.h"
#include "transport/credentials.h"
#include "transport/grpc/event_loop.h"
#include "transport/protocol/stream_sender.h"
#include "transport/transport.h"

namespace sluice::transport {

struct GrpcTransportOptions {
  StreamIdentity self;
  absl::Duration keepalive = absl::Seconds(5);  // a frozen peer is noticed after about twice this
  std::shared_ptr<EventLoop> loop = nullptr;    // the server's loop; if null, a loop of its own
  Credentials credentials = {};                 // shown to other tasks
};

// gRPC over TCP. Every task has it, so it needs no offer. The task's gRPC server
// (transport/rpc/server.h) receives its streams, and stops them.
std::unique_ptr<Transport> CreateGrpcTransport(const GrpcTransportOptions& options);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BACKENDS_GRPC_TRANSPORT_H_
