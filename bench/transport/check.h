// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_BENCH_TRANSPORT_CHECK_H_
#define SLUICE_BENCH_TRANSPORT_CHECK_H_

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "absl/status/statusor.h"

namespace sluice::bench {

// Ends a benchmark that cannot continue, with the reason.
inline void Check(bool good, const std::string& what) {
  if (good) return;
  std::fprintf(stderr, "sluice bench: %s failed\n", what.c_str());
  std::exit(1);
}

template <typename T>
T Checked(absl::StatusOr<T> value, const std::string& what) {
  Check(value.ok(), what + ": " + value.status().ToString());
  return *std::move(value);
}

}  // namespace sluice::bench

#endif  // SLUICE_BENCH_TRANSPORT_CHECK_H_
