// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_BENCH_TRANSPORT_FIGURE_H_
#define SLUICE_BENCH_TRANSPORT_FIGURE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "bench/transport/kinds.h"
#include "bench/transport/payload.h"
#include "bench/transport/usage.h"

namespace sluice::bench {

// The measurements of one transport and one payload, over all rounds.
struct Figure {
  std::string metric;  // "latency" (seconds, one way), "bandwidth" (bytes a second), "exchanges" (a
                       // second, of servers and workers)
  Kind kind;
  Payload payload;
  std::vector<double> rounds = {};   // the figure of each round; of latency the median
  std::vector<double> samples = {};  // of latency: all
  double moved = 0;                  // bytes
  double wall = 0;                   // seconds
  Usage used = {};
};

// Writes lines of JSON to standard output, one per figure. The Python command makes tables and
// plots of them.
void ReportFigure(Figure figure);
void ReportMissing(const Kind& kind, const std::string& why);
// The description of the run, printed once and first.
struct Setting {
  std::vector<int> near_cores, far_cores;  // empty: not pinned
  bool two_machines = false;
  int connections = 1, rounds = 1, servers = 0, workers = 0;
};
void ReportSetting(const Setting& setting);

}  // namespace sluice::bench

#endif  // SLUICE_BENCH_TRANSPORT_FIGURE_H_
