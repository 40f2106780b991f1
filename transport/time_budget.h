// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_TIME_BUDGET_H_
#define SLUICE_TRANSPORT_TIME_BUDGET_H_

#include <algorithm>

#include "absl/time/time.h"

namespace sluice::transport {

// The time budget of a task for a call that has `left` until its deadline. The answer must arrive
// before the deadline; otherwise the caller loses the error text.
inline absl::Duration TimeBudgetFor(absl::Duration left) {
  return left - std::max(left * 0.05, std::min(absl::Milliseconds(100), left * 0.5));
}

// How long after the end of a budget, of which `left` is left, the caller's deadline is at least.
inline absl::Duration SpareTimeAfter(absl::Duration left) {
  return std::max(left * 0.05, std::min(left, absl::Milliseconds(100)));
}

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_TIME_BUDGET_H_
