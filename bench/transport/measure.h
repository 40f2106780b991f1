// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_BENCH_TRANSPORT_MEASURE_H_
#define SLUICE_BENCH_TRANSPORT_MEASURE_H_

#include <vector>

#include "bench/transport/far_process.h"
#include "bench/transport/kinds.h"

namespace sluice::bench {

struct Plan {
  std::vector<Kind> kinds;
  ContenderOptions options;
  int rounds = 7;
  double seconds = 0.02;  // time of one transport in one round, for each figure
};

// Latency and bandwidth of every payload. In each round every transport has its turn, in reverse in
// every other round, so that other load on the machine affects all of them.
void MeasurePayloads(const Plan& plan, const std::vector<Payload>& payloads, FarProcess& far);

// TF-gRPC-Bench's throughput: each of `workers` threads here sends a payload to each of `servers`
// there and gets it back from all, again and again. Each pair has its own connection.
void MeasureServersAndWorkers(const Plan& plan, const std::vector<Payload>& payloads, int servers,
                              int workers, FarProcess& far);

}  // namespace sluice::bench

#endif  // SLUICE_BENCH_TRANSPORT_MEASURE_H_
