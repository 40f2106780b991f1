// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_BENCH_TRANSPORT_CHANNELS_H_
#define SLUICE_BENCH_TRANSPORT_CHANNELS_H_

#include "bench/transport/far_process.h"
#include "bench/transport/kinds.h"

namespace sluice::bench {

// A transport of ours, channel to channel: a step of its own for each there and back and for each
// stream, a tensor for each buffer, credit given back as a worker does. Ping-pong goes on from the
// loop that delivers, as a graph of cheap nodes would.
absl::StatusOr<std::unique_ptr<Contender>> CreateChannelContender(const std::string& kind,
                                                                  FarProcess& far, int connections);
absl::StatusOr<std::unique_ptr<Responder>> CreateChannelResponder(
    const std::string& kind, const FarSide& side, const std::vector<std::string>& arguments);

}  // namespace sluice::bench

#endif  // SLUICE_BENCH_TRANSPORT_CHANNELS_H_
