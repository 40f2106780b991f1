// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_BENCH_TRANSPORT_STATISTICS_H_
#define SLUICE_BENCH_TRANSPORT_STATISTICS_H_

#include <vector>

namespace sluice::bench {

// The smallest value that `percent` of them do not exceed (nearest rank). REQUIRES: sorted, not
// empty, 0 < percent <= 100.
double Percentile(const std::vector<double>& sorted, double percent);
double Median(std::vector<double> values);

}  // namespace sluice::bench

#endif  // SLUICE_BENCH_TRANSPORT_STATISTICS_H_
