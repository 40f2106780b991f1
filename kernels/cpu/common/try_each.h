// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_COMMON_TRY_EACH_H_
#define SLUICE_KERNELS_CPU_COMMON_TRY_EACH_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "core/status.h"
#include "core/threads/thread_pool.h"

namespace sluice::kernels {

// Calls one(i) for each i below `count`, in any order and in parallel, as ParallelFor does (`cost`:
// ns for each). Returns the error of the first call that fails; later calls may be skipped then.
absl::Status TryEach(WorkQueue* pool, int64_t count, double cost,
                     absl::FunctionRef<absl::Status(int64_t)> one);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_COMMON_TRY_EACH_H_
