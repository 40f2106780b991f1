// SPDX-License-Identifier: Apache-2.0
#include "transport/admission/admission_log.h"

#include "absl/time/clock.h"

namespace sluice::transport {

bool AdmissionLog::Take(Budget& budget, int64_t* left_out) {
  const absl::Time now = absl::Now();
  absl::MutexLock lock(&budget.mu);
  if (!budget.lines.Take(1, now)) {
    ++budget.left_out;
    return false;
  }
  *left_out = std::exchange(budget.left_out, 0);
  return true;
}

}  // namespace sluice::transport
