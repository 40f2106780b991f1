// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_BENCH_COLLECTIVES_MEASURE_H_
#define SLUICE_BENCH_COLLECTIVES_MEASURE_H_

#include <string>
#include <vector>

#include "bench/collectives/gang.h"

namespace sluice::bench::collectives {

struct Plan {
  std::vector<CollectiveOp> ops;
  std::vector<int64_t> sizes;  // bytes
  std::vector<int> members;
  std::vector<GangKind> kinds;
  std::string algorithm = "auto";  // of Sluice
  int rounds = 7;
  double seconds = 0.02;  // time of one contender in one round
  // Measures all algorithms of Sluice instead, on each map of the members to hosts.
  bool tune = false;
};

// Prints lines of JSON: the setting, figures, what is missing. In each round every contender has
// one turn, in reverse in every other round, so that other load on the machine affects all of them.
void Measure(const Plan& plan);

}  // namespace sluice::bench::collectives

#endif  // SLUICE_BENCH_COLLECTIVES_MEASURE_H_
