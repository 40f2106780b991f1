// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_BENCH_TRANSPORT_USAGE_H_
#define SLUICE_BENCH_TRANSPORT_USAGE_H_

namespace sluice::bench {

// Seconds of processor time since some moment, so that differences count.
struct Usage {
  double own = 0;   // of the benchmark's processes
  double busy = 0;  // of everybody on their machines, other virtual machines among them

  Usage operator+(const Usage& other) const { return {own + other.own, busy + other.busy}; }
  Usage operator-(const Usage& other) const { return {own - other.own, busy - other.busy}; }
  Usage& operator+=(const Usage& other) { return *this = *this + other; }
};

// Of this process and its machine.
Usage UsedHere();

}  // namespace sluice::bench

#endif  // SLUICE_BENCH_TRANSPORT_USAGE_H_
