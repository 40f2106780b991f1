// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/random/shares.h"

#include <algorithm>

#include "kernels/cpu/common/try_each.h"

namespace sluice::kernels {

absl::Status ForEachShare(WorkQueue* pool, int64_t units, double cycles,
                          absl::FunctionRef<absl::Status(int64_t, int64_t)> fn) {
  if (units == 0) return absl::OkStatus();
  const int threads = pool == nullptr ? 1 : pool->num_threads();
  const int64_t share = UnitsOfShare(units, cycles, threads);
  return TryEach(pool, (units + share - 1) / share, static_cast<double>(share) * cycles,
                 [&](int64_t i) { return fn(i * share, std::min(units, (i + 1) * share)); });
}

}  // namespace sluice::kernels
