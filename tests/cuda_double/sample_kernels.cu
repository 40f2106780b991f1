// SPDX-License-Identifier: Apache-2.0
#include "tests/cuda_double/sample_kernels.h"

#include <cuda_fp16.h>

#include <cmath>

#include "core/device/cuda_launch.h"

namespace sluice::cuda_double {
namespace {

constexpr int kWarp = 32;
constexpr unsigned kAll = 0xffffffffu;

__global__ void ScaleKernel(const float* x, float scale, float shift, float* out, int64_t n) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)
    out[i] = scale * x[i] + shift;
}

// The largest, or the sum, of a value of each thread of the block; for all of them.
template <typename Combine>
__device__ float CombineBlock(float value, float* shared, Combine combine) {
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  for (int bits = kWarp / 2; bits > 0; bits /= 2)
    value = combine(value, __shfl_xor_sync(kAll, value, bits));
  __syncthreads();
  if (lane == 0) shared[warp] = value;
  __syncthreads();
  value = shared[0];
  for (int w = 1; w < static_cast<int>(blockDim.x) / kWarp; ++w) value = combine(value, shared[w]);
  return value;
}

__global__ void SoftmaxKernel(const float* x, float* out, int columns) {
  float* shared = cuda::SharedMemory<float>();
  const float* row = x + static_cast<int64_t>(blockIdx.x) * columns;
  float* result = out + static_cast<int64_t>(blockIdx.x) * columns;
  const int first = static_cast<int>(threadIdx.x), step = static_cast<int>(blockDim.x);
  float most = -INFINITY;
  for (int c = first; c < columns; c += step) most = fmaxf(most, row[c]);
  most = CombineBlock(most, shared, [](float a, float b) { return fmaxf(a, b); });
  float sum = 0;
  for (int c = first; c < columns; c += step) sum += expf(row[c] - most);
  sum = CombineBlock(sum, shared, [](float a, float b) { return a + b; });
  for (int c = first; c < columns; c += step) result[c] = expf(row[c] - most) / sum;
}

constexpr int kTile = 16;

__global__ void TransposeKernel(const double* x, double* out, int rows, int columns) {
  double* tile = cuda::SharedMemory<double>();
  const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
  const int column = static_cast<int>(blockIdx.x) * kTile + tx;
  const int row = static_cast<int>(blockIdx.y) * kTile + ty;
  if (row < rows && column < columns)
    tile[ty * (kTile + 1) + tx] = x[static_cast<int64_t>(row) * columns + column];
  __syncthreads();
  const int to_column = static_cast<int>(blockIdx.y) * kTile + tx;
  const int to_row = static_cast<int>(blockIdx.x) * kTile + ty;
  if (to_row < columns && to_column < rows)
    out[static_cast<int64_t>(to_row) * rows + to_column] = tile[tx * (kTile + 1) + ty];
}

__global__ void SumHalvesKernel(const __half* x, float* out, int64_t n) {
  float* shared = cuda::SharedMemory<float>();
  float sum = 0;
  for (int64_t i = threadIdx.x; i < n; i += blockDim.x) sum += __half2float(x[i]);
  shared[threadIdx.x] = sum;
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
  }
  if (threadIdx.x == 0) *out = shared[0];
}

__global__ void ScatterKernel(const int* x, const int* ids, int* out, int64_t n, int size) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    if (ids[i] >= 0 && ids[i] < size) atomicAdd(&out[ids[i]], x[i]);
  }
}

__global__ void WarpsKernel(const int* x, int* odd, int* reversed) {
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const unsigned votes = __ballot_sync(kAll, x[i] % 2 != 0);
  reversed[i] = __shfl_sync(kAll, x[i], kWarp - 1 - lane);
  if (lane == 0) odd[i / kWarp] = __popc(votes);
}

}  // namespace

cudaError_t LaunchScale(const float* x, float scale, float shift, float* out, int64_t n,
                        cudaStream_t stream) {
  const cuda::Span1D span = cuda::BlocksFor(n);
  return cuda::Launch(&ScaleKernel, span.grid, span.block, 0, stream, x, scale, shift, out, n);
}

cudaError_t LaunchSoftmax(const float* x, float* out, int rows, int columns, cudaStream_t stream) {
  const int threads = 128;
  return cuda::Launch(&SoftmaxKernel, dim3(static_cast<unsigned>(rows)), dim3(threads),
                      threads / kWarp * sizeof(float), stream, x, out, columns);
}

cudaError_t LaunchTranspose(const double* x, double* out, int rows, int columns,
                            cudaStream_t stream) {
  const dim3 grid(static_cast<unsigned>((columns + kTile - 1) / kTile),
                  static_cast<unsigned>((rows + kTile - 1) / kTile));
  return cuda::Launch(&TransposeKernel, grid, dim3(kTile, kTile),
                      kTile * (kTile + 1) * sizeof(double), stream, x, out, rows, columns);
}

cudaError_t LaunchSumHalves(const uint16_t* x, float* out, int64_t n, cudaStream_t stream) {
  return cuda::Launch(&SumHalvesKernel, dim3(1), dim3(256), 256 * sizeof(float), stream,
                      reinterpret_cast<const __half*>(x), out, n);
}

cudaError_t LaunchScatter(const int* x, const int* ids, int* out, int64_t n, int size,
                          cudaStream_t stream) {
  const cuda::Span1D span = cuda::BlocksFor(n);
  return cuda::Launch(&ScatterKernel, span.grid, span.block, 0, stream, x, ids, out, n, size);
}

cudaError_t LaunchWarps(const int* x, int* odd, int* reversed, int warps, cudaStream_t stream) {
  return cuda::Launch(&WarpsKernel, dim3(static_cast<unsigned>(warps / 2)), dim3(2 * kWarp), 0,
                      stream, x, odd, reversed);
}

}  // namespace sluice::cuda_double
