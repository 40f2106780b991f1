// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_BENCH_TRANSPORT_CHANNELS_H_
#define SLUICE_BENCH_TRANSPORT_CHANNELS_H_

#include "bench/transport/far_process.h"
#include "bench/transport/kinds.h"

namespace sluice::bench {

// One of our transports, channel to channel. Each round trip and each stream is a step, each buffer
// a tensor, and credit is returned as a worker does it. The loop that delivers continues the
// ping-pong, like a graph of cheap nodes.
absl::StatusOr<std::unique_ptr<Contender>> CreateChannelContender(const std::string& kind,
                                                                  FarProcess& far, int connections);
absl::StatusOr<std::unique_ptr<Responder>> CreateChannelResponder(
    const std::string& kind, const FarSide& side, const std::vector<std::string>& arguments);

}  // namespace sluice::bench

#endif  // SLUICE_BENCH_TRANSPORT_CHANNELS_H_
