// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_RANDOM_SHARES_H_
#define SLUICE_KERNELS_CPU_RANDOM_SHARES_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "core/threads/thread_pool.h"
#include "kernels/common/random/share_units.h"

namespace sluice::kernels {

// Runs fn(begin, end) for each shard of the units over the pool. If an op begins a random stream
// with every shard, it has TensorFlow's numbers only with TensorFlow's shards. They depend on the
// number of threads, as in TensorFlow.
absl::Status ForEachShare(WorkQueue* pool, int64_t units, double cycles,
                          absl::FunctionRef<absl::Status(int64_t, int64_t)> fn);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_RANDOM_SHARES_H_
