// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_DATASET_THREADS_PRIVATE_POOL_H_
#define SLUICE_KERNELS_ANY_DATASET_THREADS_PRIVATE_POOL_H_

#include "kernels/common/dataset/data_set.h"

namespace sluice::kernels {

// The elements of `input`, whose stages make so many calls of functions at once; 0: one for each
// core.
RefPtr<const DataSet> WithCallsAtOnce(RefPtr<const DataSet> input, int64_t calls);
// The elements of `input`. A kernel of its functions runs on at most so many threads of `pool`; 0:
// on all.
RefPtr<const DataSet> WithKernelThreads(RefPtr<const DataSet> input, int64_t threads,
                                        WorkQueue* pool);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_DATASET_THREADS_PRIVATE_POOL_H_
