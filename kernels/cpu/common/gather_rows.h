// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_COMMON_GATHER_ROWS_H_
#define SLUICE_KERNELS_CPU_COMMON_GATHER_ROWS_H_

#include "core/tensor/tensor.h"
#include "core/threads/thread_pool.h"
#include "kernels/common/gather_plan.h"

namespace sluice::kernels {

// out[batch, outer, pick] = params[batch, outer, indices[batch, pick]]. INVALID_ARGUMENT names the
// first index out of range. Indices are int16, int32 or int64.
absl::Status GatherRows(WorkQueue* pool, const Tensor& params, const Tensor& indices,
                        const GatherSizes& n, Tensor& out);

// out[i] = params[indices[i, :]]. An index out of range is INVALID_ARGUMENT, or zeros if
// `ignore_bad`.
absl::Status GatherSlices(WorkQueue* pool, const Tensor& params, const Tensor& indices,
                          bool ignore_bad, Tensor& out);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_COMMON_GATHER_ROWS_H_
