// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_COMMON_REDUCE_BLOCK_H_
#define SLUICE_KERNELS_CUDA_COMMON_REDUCE_BLOCK_H_

namespace sluice::cuda {

// Threads of a block that reduces.
constexpr int kReduceThreads = 256;

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_COMMON_REDUCE_BLOCK_H_
