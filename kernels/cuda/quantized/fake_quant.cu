// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/quantized/fake_quant.h"

#include <algorithm>

#include "core/device/cuda_launch.h"
#include "kernels/common/quantized/fake_quant_levels.h"

namespace sluice::cuda {
namespace {

using kernels::FakeQuantLevels;

constexpr int kThreads = 512;

__device__ inline FakeQuantLevels LevelsOf(const QuantRanges& ranges, int64_t channel) {
  if (ranges.min == nullptr)
    return FakeQuantLevels::Of(ranges.min_value, ranges.max_value, ranges.bits, ranges.narrow);
  return FakeQuantLevels::OfAny(ranges.min[channel], ranges.max[channel], ranges.bits,
                                ranges.narrow);
}

__global__ void FakeQuantKernel(QuantRanges ranges, const float* x, float* y, int64_t n) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)
    y[i] = LevelsOf(ranges, i % ranges.channels).Round(x[i]);
}

__global__ void FakeQuantGradKernel(QuantRanges ranges, const float* grad, const float* x,
                                    float* dx, int64_t n) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const FakeQuantLevels levels = LevelsOf(ranges, i % ranges.channels);
    dx[i] = levels.scale == 0.0f || levels.Inside(x[i]) ? grad[i] : 0.0f;
  }
}

// A block has a channel.
__global__ void FakeQuantRangeGradKernel(QuantRanges ranges, const float* grad, const float* x,
                                         float* dmin, float* dmax, int64_t n) {
  auto* const below = SharedMemory<double>();
  auto* const above = below + kThreads;
  const int t = static_cast<int>(threadIdx.x);
  for (int64_t channel = blockIdx.x; channel < ranges.channels; channel += gridDim.x) {
    const FakeQuantLevels levels = LevelsOf(ranges, channel);
    double low = 0, high = 0;
    for (int64_t i = channel + t * ranges.channels; i < n && levels.scale != 0.0f;
         i += kThreads * ranges.channels) {
      if (x[i] < levels.low) low += static_cast<double>(grad[i]);
      if (x[i] > levels.high) high += static_cast<double>(grad[i]);
    }
    __syncthreads();  // the last channel is done
    below[t] = low;
    above[t] = high;
    for (int half = kThreads / 2; half >= 1; half /= 2) {
      __syncthreads();
      if (t < half) {
        below[t] += below[t + half];
        above[t] += above[t + half];
      }
    }
    if (t == 0) {
      dmin[channel] = static_cast<float>(below[0]);
      dmax[channel] = static_cast<float>(above[0]);
    }
  }
}

}  // namespace

cudaError_t LaunchFakeQuant(const QuantRanges& ranges, const float* x, float* y, int64_t n,
                            cudaStream_t stream) {
  const Span1D span = BlocksFor(n);
  return Launch(&FakeQuantKernel, span.grid, span.block, 0, stream, ranges, x, y, n);
}

cudaError_t LaunchFakeQuantGrad(const QuantRanges& ranges, const float* grad, const float* x,
                                float* dx, int64_t n, cudaStream_t stream) {
  const Span1D span = BlocksFor(n);
  return Launch(&FakeQuantGradKernel, span.grid, span.block, 0, stream, ranges, grad, x, dx, n);
}

cudaError_t LaunchFakeQuantRangeGrad(const QuantRanges& ranges, const float* grad, const float* x,
                                     float* dmin, float* dmax, int64_t n, cudaStream_t stream) {
  constexpr int64_t kMostBlocks = 32 * 132;
  const dim3 grid(static_cast<unsigned>(std::min(ranges.channels, kMostBlocks)));
  return Launch(&FakeQuantRangeGradKernel, grid, dim3(kThreads), 2 * kThreads * sizeof(double),
                stream, ranges, grad, x, dmin, dmax, n);
}

}  // namespace sluice::cuda
