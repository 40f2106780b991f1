// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_BENCH_TRANSPORT_GRPC_PEERS_H_
#define SLUICE_BENCH_TRANSPORT_GRPC_PEERS_H_

#include "bench/transport/far_process.h"
#include "bench/transport/kinds.h"

namespace sluice::bench {

// Plain gRPC without limits on messages: generic calls on one channel, a completion queue and a
// thread at each end. Buffers are slices of the source's memory, and stay in gRPC's slices when
// they arrive. Serialised ones are a protobuf message of bytes fields.
//
// `streaming`: all messages on one stream; else a unary call for each.
absl::StatusOr<std::unique_ptr<Contender>> CreateGrpcPeer(FarProcess& far, bool streaming);
std::unique_ptr<Responder> CreateGrpcResponder(const std::string& host);

}  // namespace sluice::bench

#endif  // SLUICE_BENCH_TRANSPORT_GRPC_PEERS_H_
