// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/random/share_units.h"

#include <algorithm>

namespace sluice::kernels {
namespace {

constexpr double kCyclesOfStart = 100000;   // cost of using threads at all
constexpr double kCyclesOfThread = 100000;  // below this, a thread does not pay
constexpr double kCyclesOfShare = 40000;
constexpr int64_t kSharesOfThread = 4;

int64_t CeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

// The fraction of the threads' time that is used if each takes one shard per round.
double Efficiency(int64_t shares, int threads) {
  return static_cast<double>(shares) / static_cast<double>(CeilDiv(shares, threads) * threads);
}

}  // namespace

int64_t UnitsOfShare(int64_t units, double cycles, int threads) {
  const double worth =
      (static_cast<double>(units) * cycles - kCyclesOfStart) / kCyclesOfThread + 0.9;
  if (units <= 1 || threads == 1 || worth < 2) return units;
  int64_t share = std::min(units, std::max(CeilDiv(units, kSharesOfThread * threads),
                                           static_cast<int64_t>(kCyclesOfShare / cycles)));
  const int64_t largest = std::min(units, 2 * share);
  int64_t shares = CeilDiv(units, share);
  double best = Efficiency(shares, threads);
  // Shards grow as long as the threads are used equally well.
  while (best < 1 && shares > 1) {
    const int64_t coarser = CeilDiv(units, shares - 1);
    if (coarser > largest) break;
    shares = CeilDiv(units, coarser);
    const double efficiency = Efficiency(shares, threads);
    if (efficiency + 0.01 < best) continue;
    share = coarser;
    best = std::max(best, efficiency);
  }
  return share;
}

}  // namespace sluice::kernels
