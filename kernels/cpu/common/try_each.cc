// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/common/try_each.h"

#include <utility>

#include "absl/synchronization/mutex.h"

namespace sluice::kernels {

absl::Status TryEach(WorkQueue* pool, int64_t count, double cost,
                     absl::FunctionRef<absl::Status(int64_t)> one) {
  absl::Mutex mu;
  absl::Status failed;
  int64_t first_failed = count;
  ParallelFor(pool, count, cost, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      absl::Status status = one(i);
      if (status.ok()) continue;
      absl::MutexLock lock(&mu);
      if (i < first_failed) {
        first_failed = i;
        failed = std::move(status);
      }
      return;
    }
  });
  return failed;
}

}  // namespace sluice::kernels
