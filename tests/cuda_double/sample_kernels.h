// SPDX-License-Identifier: Apache-2.0
// Kernels that are right, for the tests of the double.
#ifndef SLUICE_TESTS_CUDA_DOUBLE_SAMPLE_KERNELS_H_
#define SLUICE_TESTS_CUDA_DOUBLE_SAMPLE_KERNELS_H_

#include <cuda_runtime_api.h>

#include <cstdint>

namespace sluice::cuda_double {

// out[i] = scale * x[i] + shift.
cudaError_t LaunchScale(const float* x, float scale, float shift, float* out, int64_t n,
                        cudaStream_t stream);
// The softmax of each row, by a block of 128 threads: shuffles within warps, shared memory between.
cudaError_t LaunchSoftmax(const float* x, float* out, int rows, int columns, cudaStream_t stream);
// out[c][r] = x[r][c], through tiles in shared memory.
cudaError_t LaunchTranspose(const double* x, double* out, int rows, int columns,
                            cudaStream_t stream);
// The sum of n halves as a float in fixed order, by one block.
cudaError_t LaunchSumHalves(const uint16_t* x, float* out, int64_t n, cudaStream_t stream);
// out[ids[i]] += x[i]; ids out of range are dropped.
cudaError_t LaunchScatter(const int* x, const int* ids, int* out, int64_t n, int size,
                          cudaStream_t stream);
// For each warp of 32 numbers: how many are odd, and the number of lane 31 - lane.
cudaError_t LaunchWarps(const int* x, int* odd, int* reversed, int warps, cudaStream_t stream);

}  // namespace sluice::cuda_double

#endif  // SLUICE_TESTS_CUDA_DOUBLE_SAMPLE_KERNELS_H_
