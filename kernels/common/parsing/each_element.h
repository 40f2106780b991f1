// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_PARSING_EACH_ELEMENT_H_
#define SLUICE_KERNELS_COMMON_PARSING_EACH_ELEMENT_H_

#include <cstdint>
#include <utility>

#include "absl/synchronization/mutex.h"
#include "core/status.h"
#include "core/threads/thread_pool.h"

namespace sluice::kernels {

// Calls work(i) for each i in [0, n), split over the pool; `cost` is ns per call. Each part has a
// `work` of its own, which make() returns. After a failure, the rest of its part is left out.
// Returns the failure with the lowest index, as a serial loop would.
template <typename Make>
absl::Status EachElement(WorkQueue* pool, int64_t n, double cost, const Make& make) {
  absl::Mutex mu;
  absl::Status first;
  int64_t failed = n;
  ParallelFor(pool, n, cost, [&](int64_t begin, int64_t end) {
    auto work = make();
    for (int64_t i = begin; i < end; ++i) {
      absl::Status status = work(i);
      if (status.ok()) continue;
      const absl::MutexLock lock(&mu);
      if (i < failed) {
        failed = i;
        first = std::move(status);
      }
      return;
    }
  });
  return first;
}

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_PARSING_EACH_ELEMENT_H_
