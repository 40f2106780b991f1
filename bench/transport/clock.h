// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_BENCH_TRANSPORT_CLOCK_H_
#define SLUICE_BENCH_TRANSPORT_CLOCK_H_

#include <chrono>

namespace sluice::bench {

// Seconds since an arbitrary moment.
inline double Now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace sluice::bench

#endif  // SLUICE_BENCH_TRANSPORT_CLOCK_H_
