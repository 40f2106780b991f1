// SPDX-License-Identifier: Apache-2.0
// Kernels with a fault each, which the double must show.
#ifndef SLUICE_TESTS_CUDA_DOUBLE_FAULTY_KERNELS_H_
#define SLUICE_TESTS_CUDA_DOUBLE_FAULTY_KERNELS_H_

#include <cuda_runtime_api.h>

namespace sluice::cuda_double {

// Reverses 256 numbers in shared memory without a barrier.
cudaError_t LaunchWithoutBarrier(const int* x, int* out, cudaStream_t stream);
// Sums over a warp through shared memory as if its threads ran in step.
cudaError_t LaunchInStep(const int* x, int* out, cudaStream_t stream);
// Writes out[n], of n numbers.
cudaError_t LaunchPastEnd(int* out, int n, cudaStream_t stream);
// Writes the number behind its shared memory.
cudaError_t LaunchPastShared(int* out, cudaStream_t stream);
// Adds to what the block before has written. out[0] is set.
cudaError_t LaunchInBlockOrder(int* out, int blocks, cudaStream_t stream);
// The first half of a block's threads waits at one barrier, the second at another.
cudaError_t LaunchTwoBarriers(int* out, cudaStream_t stream);
// Half of the threads return before the barrier.
cudaError_t LaunchEarlyReturn(int* out, cudaStream_t stream);
// The lanes of a warp give masks that do not fit.
cudaError_t LaunchWrongMask(int* out, cudaStream_t stream);
// Adds up shared memory that nobody has written.
cudaError_t LaunchUnwrittenShared(int* out, cudaStream_t stream);

}  // namespace sluice::cuda_double

#endif  // SLUICE_TESTS_CUDA_DOUBLE_FAULTY_KERNELS_H_
