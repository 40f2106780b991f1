// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_BENCH_TRANSPORT_GRPC_PEERS_H_
#define SLUICE_BENCH_TRANSPORT_GRPC_PEERS_H_

#include "bench/transport/far_process.h"
#include "bench/transport/kinds.h"

namespace sluice::bench {

// gRPC as it comes, with limits on messages lifted: generic calls on one channel, a completion
// queue and a thread at each end. Buffers are slices of the source's memory, and stay in gRPC's
// slices where they arrive; serialised ones are a protobuf message of bytes fields.
//
// `streaming`: messages of one stream; else a unary call for each.
absl::StatusOr<std::unique_ptr<Contender>> CreateGrpcPeer(FarProcess& far, bool streaming);
std::unique_ptr<Responder> CreateGrpcResponder(const std::string& host);

}  // namespace sluice::bench

#endif  // SLUICE_BENCH_TRANSPORT_GRPC_PEERS_H_
