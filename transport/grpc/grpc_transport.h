#ifndef SLUICE_TRANSPORT_GRPC_GRPC_TRANSPORT_H_
#define SLUICE_TRANSPORT_GRPC_GRPC_TRANSPORT_H_

#include <memory>
#include <string>

#include "transport/transport.h"

namespace sluice::transport {

struct GrpcTransportOptions {
  std::string task;                             // own
  uint64_t incarnation = 0;                     // own
  int64_t credit_bytes = 64 << 20;              // per step and peer
  int threads = 2;                              // fixed whatever the number of peers
  absl::Duration keepalive = absl::Seconds(5);  // a frozen peer is noticed after about twice this
};

// gRPC over TCP: the road that is always there.
absl::StatusOr<std::unique_ptr<Transport>> CreateGrpcTransport(const GrpcTransportOptions& options);

// A master behind gRPC, for clients. `target` is "grpc://host:port" or "host:port".
absl::StatusOr<std::unique_ptr<MasterApi>> ConnectGrpcMaster(const std::string& target);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_GRPC_GRPC_TRANSPORT_H_
