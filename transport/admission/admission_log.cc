// SPDX-License-Identifier: Apache-2.0
#include "transport/admission/admission_log.h"

#include <algorithm>

#include "absl/time/clock.h"

namespace sluice::transport {

bool AdmissionLog::Take(Budget& budget, int64_t* left_out) {
  const absl::Time now = absl::Now();
  absl::MutexLock lock(&budget.mu);
  const double seconds = absl::ToDoubleSeconds(now - budget.counted);
  budget.lines = std::min(kBurst, budget.lines + kPerSecond * seconds);
  budget.counted = now;
  if (budget.lines < 1) {
    ++budget.left_out;
    return false;
  }
  budget.lines -= 1;
  *left_out = std::exchange(budget.left_out, 0);
  return true;
}

}  // namespace sluice::transport
