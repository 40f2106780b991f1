// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_BENCH_TRANSPORT_USAGE_H_
#define SLUICE_BENCH_TRANSPORT_USAGE_H_

namespace sluice::bench {

// Seconds of processor time since an arbitrary moment: use differences.
struct Usage {
  double own = 0;   // by the benchmark's processes
  double busy = 0;  // by all processes of their machines, including other virtual machines

  Usage operator+(const Usage& other) const { return {own + other.own, busy + other.busy}; }
  Usage operator-(const Usage& other) const { return {own - other.own, busy - other.busy}; }
  Usage& operator+=(const Usage& other) { return *this = *this + other; }
};

// Of this process and its machine.
Usage UsedHere();

}  // namespace sluice::bench

#endif  // SLUICE_BENCH_TRANSPORT_USAGE_H_
