// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_IO_GLOB_H_
#define SLUICE_CORE_IO_GLOB_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "core/status.h"

namespace sluice {

// What one search may cost. A pattern such as "/*/*/*" can match a whole disk.
struct GlobLimits {
  int64_t entries = 10'000'000;  // of folders, that the search reads
  absl::Duration time = absl::Seconds(60);
};

// The local paths that a pattern with *, ? and [...] matches, also those that begin with a period,
// in no order. Folders that cannot be read are skipped. Ends with the work of its CancelScope.
//
// Errors:   RESOURCE_EXHAUSTED and DEADLINE_EXCEEDED name the pattern and the limit.
absl::StatusOr<std::vector<std::string>> Glob(const std::string& pattern,
                                              const GlobLimits& limits = {});

}  // namespace sluice

#endif  // SLUICE_CORE_IO_GLOB_H_
