// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_BENCH_TRANSPORT_KINDS_H_
#define SLUICE_BENCH_TRANSPORT_KINDS_H_

#include <memory>
#include <string>
#include <vector>

#include "bench/transport/contender.h"

namespace sluice::bench {

class FarProcess;
struct SpinSlot;

// A kind of contender.
struct Kind {
  std::string name;  // "tcp", "raw-tcp", "runtime-tcp"
  std::string
      layer;  // "channel": a transport of ours alone; "runtime": a graph's Send and Recv by it;
              // "peer": a competitor, or the machine's limit
  bool many;  // supports several at once: servers and workers
};
const std::vector<Kind>& AllKinds();
// INVALID_ARGUMENT names an unknown kind.
absl::StatusOr<std::vector<Kind>> ParseKinds(const std::string& names);  // "tcp,raw-tcp"; "": all

struct ContenderOptions {
  int connections = 1;  // of tcp and raw-tcp
};
// Both ends of a contender. UNAVAILABLE gives the reason if these two processes cannot have it.
absl::StatusOr<std::unique_ptr<Contender>> CreateContender(const std::string& kind, FarProcess& far,
                                                           const ContenderOptions& options);

// The arguments of a Responder.
struct FarSide {
  std::string own_host, near_host;  // numeric
  std::string near_host_id;
  SpinSlot* slot;
};
absl::StatusOr<std::unique_ptr<Responder>> CreateResponder(
    const std::string& kind, const FarSide& side, const std::vector<std::string>& arguments);

}  // namespace sluice::bench

#endif  // SLUICE_BENCH_TRANSPORT_KINDS_H_
