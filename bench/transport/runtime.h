// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_BENCH_TRANSPORT_RUNTIME_H_
#define SLUICE_BENCH_TRANSPORT_RUNTIME_H_

#include "bench/transport/far_process.h"
#include "bench/transport/kinds.h"

namespace sluice::bench {

// The whole runtime: two servers, and a session of the near one whose graph sends the tensors of
// resource variables to the far one and, for ping-pong, back.
//
// A round trip is an average over a step with several round trips, minus a step that runs nothing
// on both tasks. A stream is one whole step with as many sends as the window.
absl::StatusOr<std::unique_ptr<Contender>> CreateRuntimeContender(const std::string& transport,
                                                                  FarProcess& far);
absl::StatusOr<std::unique_ptr<Responder>> CreateRuntimeResponder(
    const std::string& transport, const FarSide& side, const std::vector<std::string>& arguments);

}  // namespace sluice::bench

#endif  // SLUICE_BENCH_TRANSPORT_RUNTIME_H_
