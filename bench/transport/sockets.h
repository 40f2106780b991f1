// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_BENCH_TRANSPORT_SOCKETS_H_
#define SLUICE_BENCH_TRANSPORT_SOCKETS_H_

#include "bench/transport/far_process.h"
#include "bench/transport/kinds.h"

namespace sluice::bench {

// Bare blocking stream sockets, with one thread at each end of each connection: batched writes from
// the source's memory, reads into reused memory of the same size. With several connections, each
// carries its part of every buffer of a stream; ping-pong uses the first.
//
// A run begins with an order (the messages, their number, the answers). Nothing else is added.
absl::StatusOr<std::unique_ptr<Contender>> CreateTcpSockets(FarProcess& far, int connections);
absl::StatusOr<std::unique_ptr<Contender>> CreateUnixSockets(FarProcess& far);

std::unique_ptr<Responder> CreateTcpResponder(const std::string& host, int connections);
std::unique_ptr<Responder> CreateUnixResponder();

}  // namespace sluice::bench

#endif  // SLUICE_BENCH_TRANSPORT_SOCKETS_H_
