#ifndef SLUICE_TRANSPORT_GRPC_GRPC_TRANSPORT_H_
#define SLUICE_TRANSPORT_GRPC_GRPC_TRANSPORT_H_

#include <memory>
#include <string>

#include "transport/credentials.h"
#include "transport/introducer.h"
#include "transport/transport.h"

namespace sluice::transport {

// The fixed set of threads that run the events of one task, for any number of peers.
class EventLoop;
std::shared_ptr<EventLoop> CreateEventLoop();

struct GrpcTransportOptions {
  std::string task;                             // own
  uint64_t incarnation = 0;                     // own
  int64_t credit_bytes = 64 << 20;              // per step and peer
  absl::Duration keepalive = absl::Seconds(5);  // a frozen peer is noticed after about twice this
  std::shared_ptr<EventLoop> loop;              // the server's too; null: one of its own
  Credentials credentials = {};                 // shown to other tasks
};

// gRPC over TCP: the transport that is always available. Handshakes for other transports use it.
class GrpcTransport : public Transport {
 public:
  virtual std::unique_ptr<Introducer> ConnectIntroducer(const PeerAddress& peer) = 0;
};
absl::StatusOr<std::unique_ptr<GrpcTransport>> CreateGrpcTransport(
    const GrpcTransportOptions& options);

// A master behind gRPC, for clients. `target` is "grpc://host:port" or "host:port".
absl::StatusOr<std::unique_ptr<MasterApi>> ConnectGrpcMaster(const std::string& target,
                                                             const Credentials& credentials = {});
// Reads the transports of a task, for clients that send no tensors.
absl::StatusOr<std::unique_ptr<Introducer>> ConnectGrpcIntroducer(
    const std::string& target, const Credentials& credentials = {});

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_GRPC_GRPC_TRANSPORT_H_
