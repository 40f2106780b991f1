// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_RANDOM_SHARES_H_
#define SLUICE_KERNELS_CPU_RANDOM_SHARES_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "core/threads/thread_pool.h"

namespace sluice::kernels {

// How many of these units of work, of so many cycles each, TensorFlow gives to one of its threads
// at once: the rules of Eigen's ThreadPoolDevice.
int64_t UnitsOfShare(int64_t units, double cycles, int threads);

// Runs fn(begin, end) for each share of the units, over the pool. Ops that begin a stream of random
// numbers with every share have TensorFlow's numbers only if the shares are TensorFlow's; they
// depend on the number of threads, as there.
absl::Status ForEachShare(WorkQueue* pool, int64_t units, double cycles,
                          absl::FunctionRef<absl::Status(int64_t, int64_t)> fn);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_RANDOM_SHARES_H_
