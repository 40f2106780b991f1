// SPDX-License-Identifier: Apache-2.0
#include "tests/cuda_double/faulty_kernels.h"

#include "core/device/cuda_launch.h"

namespace sluice::cuda_double {
namespace {

constexpr int kThreads = 256;
constexpr int kWarp = 32;

__global__ void WithoutBarrierKernel(const int* x, int* out) {
  int* shared = cuda::SharedMemory<int>();
  shared[threadIdx.x] = x[threadIdx.x];
  out[threadIdx.x] = shared[kThreads - 1 - threadIdx.x];
}

__global__ void InStepKernel(const int* x, int* out) {
  volatile int* shared = cuda::SharedMemory<int>();
  shared[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (unsigned half = kWarp / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] = shared[threadIdx.x] + shared[threadIdx.x + half];
  }
  if (threadIdx.x == 0) *out = shared[0];
}

__global__ void PastEndKernel(int* out, int n) {
  for (int i = static_cast<int>(threadIdx.x); i <= n; i += static_cast<int>(blockDim.x)) out[i] = i;
}

__global__ void PastSharedKernel(int* out) {
  int* shared = cuda::SharedMemory<int>();
  shared[threadIdx.x + 1] = 1;
  __syncthreads();
  out[threadIdx.x] = shared[threadIdx.x + 1];
}

__global__ void InBlockOrderKernel(int* out) {
  const int block = static_cast<int>(blockIdx.x);
  out[block + 1] = out[block] + 1;
}

__global__ void TwoBarriersKernel(int* out) {
  if (threadIdx.x < blockDim.x / 2) {
    out[threadIdx.x] = 1;
    __syncthreads();
  } else {
    out[threadIdx.x] = 2;
    __syncthreads();
  }
}

__global__ void EarlyReturnKernel(int* out) {
  if (threadIdx.x >= blockDim.x / 2) return;
  __syncthreads();
  out[threadIdx.x] = 1;
}

__global__ void WrongMaskKernel(int* out) {
  const unsigned mask = threadIdx.x < kWarp / 2 ? 0xffffffffu : 0xffff0000u;
  const int got = __shfl_xor_sync(mask, static_cast<int>(threadIdx.x), 1);
  __syncthreads();
  out[threadIdx.x] = got;
}

__global__ void UnwrittenSharedKernel(int* out) {
  out[threadIdx.x] = cuda::SharedMemory<int>()[threadIdx.x];
}

}  // namespace

cudaError_t LaunchWithoutBarrier(const int* x, int* out, cudaStream_t stream) {
  return cuda::Launch(&WithoutBarrierKernel, dim3(1), dim3(kThreads), kThreads * sizeof(int),
                      stream, x, out);
}

cudaError_t LaunchInStep(const int* x, int* out, cudaStream_t stream) {
  return cuda::Launch(&InStepKernel, dim3(1), dim3(kWarp), kWarp * sizeof(int), stream, x, out);
}

cudaError_t LaunchPastEnd(int* out, int n, cudaStream_t stream) {
  return cuda::Launch(&PastEndKernel, dim3(1), dim3(kThreads), 0, stream, out, n);
}

cudaError_t LaunchPastShared(int* out, cudaStream_t stream) {
  return cuda::Launch(&PastSharedKernel, dim3(1), dim3(kWarp), kWarp * sizeof(int), stream, out);
}

cudaError_t LaunchInBlockOrder(int* out, int blocks, cudaStream_t stream) {
  return cuda::Launch(&InBlockOrderKernel, dim3(static_cast<unsigned>(blocks)), dim3(1), 0, stream,
                      out);
}

cudaError_t LaunchTwoBarriers(int* out, cudaStream_t stream) {
  return cuda::Launch(&TwoBarriersKernel, dim3(1), dim3(kThreads), 0, stream, out);
}

cudaError_t LaunchEarlyReturn(int* out, cudaStream_t stream) {
  return cuda::Launch(&EarlyReturnKernel, dim3(1), dim3(kThreads), 0, stream, out);
}

cudaError_t LaunchWrongMask(int* out, cudaStream_t stream) {
  return cuda::Launch(&WrongMaskKernel, dim3(1), dim3(kWarp), 0, stream, out);
}

cudaError_t LaunchUnwrittenShared(int* out, cudaStream_t stream) {
  return cuda::Launch(&UnwrittenSharedKernel, dim3(1), dim3(kWarp), kWarp * sizeof(int), stream,
                      out);
}

}  // namespace sluice::cuda_double
