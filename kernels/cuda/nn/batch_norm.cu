// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/nn/batch_norm.h"

#include <cmath>

#include "core/device/cuda_launch.h"

namespace sluice::cuda {
namespace {

using ImageElements = ElementList<Element::kFloat, Element::kHalf, Element::kBFloat16>;

// Threads of a block that sums a chunk of so many rows: a power of 2, not below 32.
int SumThreads(int64_t rows) { return rows <= 32 ? 64 : 256; }

__device__ int64_t IndexOf(const BatchNormShape& s, int64_t row, int64_t channel) {
  if (!s.channels_first) return row * s.channels + channel;
  return (row / s.pixels * s.channels + channel) * s.pixels + row % s.pixels;
}
__device__ int64_t ChannelOf(const BatchNormShape& s, int64_t i) {
  return s.channels_first ? i / s.pixels % s.channels : i % s.channels;
}

enum class Sum { kValues, kSquares, kGradients };

// Sums of chunk blockIdx.y over `tile` channels from blockIdx.x * tile on. Neighbouring threads
// read neighbouring elements: of a row of channels, or of one channel's pixels (tile 1).
template <typename T, Sum kSum>
__global__ void SumKernel(BatchNormShape s, int tile, const T* x, const T* dy, const float* mean,
                          float* partial) {
  const int threads = static_cast<int>(blockDim.x), lanes = threads / tile;
  const int lane = static_cast<int>(threadIdx.x) / tile;
  const int64_t channel = int64_t{blockIdx.x} * tile + static_cast<int>(threadIdx.x) % tile;
  const int64_t begin = blockIdx.y * s.chunk();
  const int64_t end = begin + s.chunk() < s.rows ? begin + s.chunk() : s.rows;
  float first = 0, second = 0;
  if (channel < s.channels) {
    for (int64_t row = begin + lane; row < end; row += lanes) {
      const int64_t i = IndexOf(s, row, channel);
      const float value = Widen(x[i]);
      if constexpr (kSum == Sum::kValues) {
        first += value;
      } else if constexpr (kSum == Sum::kSquares) {
        const float d = value - mean[channel];
        first += d * d;
      } else {
        const float grad = Widen(dy[i]);
        first += grad;
        second += grad * (value - mean[channel]);
      }
    }
  }
  float* const sums = SharedMemory<float>();
  sums[threadIdx.x] = first;
  sums[threads + threadIdx.x] = second;
  __syncthreads();
  for (int half = lanes / 2; half > 0; half /= 2) {
    if (lane < half) {
      sums[threadIdx.x] += sums[threadIdx.x + half * tile];
      sums[threads + threadIdx.x] += sums[threads + threadIdx.x + half * tile];
    }
    __syncthreads();
  }
  if (lane != 0 || channel >= s.channels) return;
  partial[blockIdx.y * s.channels + channel] = sums[threadIdx.x];
  partial[(s.chunks() + blockIdx.y) * s.channels + channel] = sums[threads + threadIdx.x];
}

__device__ double Total(const BatchNormShape& s, const float* partial, int64_t channel) {
  double total = 0;
  for (int64_t chunk = 0; chunk < s.chunks(); ++chunk) {
    total += partial[chunk * s.channels + channel];
  }
  return total;
}

__global__ void MeanKernel(BatchNormShape s, const float* partial, float* mean) {
  for (int64_t c = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; c < s.channels;
       c += int64_t{gridDim.x} * blockDim.x) {
    mean[c] = static_cast<float>(Total(s, partial, c) / static_cast<double>(s.rows));
  }
}

__global__ void OutputsKernel(int64_t channels, const float* mean, const float* variance,
                              BatchNormOutputs o) {
  for (int64_t c = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; c < channels;
       c += int64_t{gridDim.x} * blockDim.x) {
    const float m = mean[c], v = variance[c];
    float out_m = m, out_v = v * o.unbiased;
    if (o.running_mean != nullptr) {
      out_m = (1 - o.factor) * o.running_mean[c] + o.factor * out_m;
      out_v = (1 - o.factor) * o.running_variance[c] + o.factor * out_v;
    }
    o.mean[c] = out_m;
    o.variance[c] = out_v;
    o.reserve_mean[c] = m;
    o.reserve_variance[c] = v;
  }
}

template <typename T>
__global__ void NormalizeKernel(BatchNormShape s, const T* x, BatchNormVectors v,
                                const float* offset, T* y) {
  const int64_t count = s.rows * s.channels;
  for (int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += int64_t{gridDim.x} * blockDim.x) {
    const int64_t c = ChannelOf(s, i);
    const float slope = v.scale[c] / ::sqrtf(v.variance[c] + v.epsilon);
    y[i] = Narrow<T>((Widen(x[i]) - v.mean[c]) * slope + offset[c]);
  }
}

// factors: slope, mean of dy, pull. dx = slope * (dy - dy_mean - (x - mean) * pull); slope * dy
// where the statistics were constants.
__global__ void GradientsKernel(BatchNormShape s, bool training, const float* partial,
                                BatchNormVectors v, float* factors, float* dscale, float* doffset) {
  for (int64_t c = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; c < s.channels;
       c += int64_t{gridDim.x} * blockDim.x) {
    const double sum = Total(s, partial, c);
    const double centered = Total(s, partial + s.chunks() * s.channels, c);
    const float root = 1.0f / ::sqrtf(v.variance[c] + v.epsilon);
    const double rows = static_cast<double>(s.rows);
    doffset[c] = static_cast<float>(sum);
    dscale[c] = static_cast<float>(centered) * root;
    factors[c] = v.scale[c] * root;
    factors[s.channels + c] = training ? static_cast<float>(sum / rows) : 0.0f;
    factors[2 * s.channels + c] =
        training ? static_cast<float>(centered / rows) * root * root : 0.0f;
  }
}

template <typename T>
__global__ void InputGradientKernel(BatchNormShape s, const T* dy, const T* x, const float* mean,
                                    const float* factors, T* dx) {
  const int64_t count = s.rows * s.channels;
  for (int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += int64_t{gridDim.x} * blockDim.x) {
    const int64_t c = ChannelOf(s, i);
    const float centered = Widen(x[i]) - mean[c];
    dx[i] = Narrow<T>(factors[c] * (Widen(dy[i]) - factors[s.channels + c] -
                                    centered * factors[2 * s.channels + c]));
  }
}

template <typename T, Sum kSum>
cudaError_t LaunchSum(const BatchNormShape& s, const T* x, const T* dy, const float* mean,
                      float* partial, cudaStream_t stream) {
  const int tile = s.channels_first ? 1 : 32;
  const dim3 grid(static_cast<unsigned>((s.channels + tile - 1) / tile),
                  static_cast<unsigned>(s.chunks()));
  const int threads = SumThreads(s.rows);
  return Launch(&SumKernel<T, kSum>, grid, dim3(threads), 2 * threads * sizeof(float), stream, s,
                tile, x, dy, mean, partial);
}

}  // namespace

cudaError_t LaunchBatchStatistics(const BatchNormShape& shape, const void* x, float* partial,
                                  float* mean, float* variance, cudaStream_t stream) {
  const Span1D span = BlocksFor(shape.channels);
  return Visit(ImageElements{}, shape.element, [&]<typename T>(Type<T>) {
    const T* const in = static_cast<const T*>(x);
    const T* const none = nullptr;
    cudaError_t error = LaunchSum<T, Sum::kValues>(shape, in, none, nullptr, partial, stream);
    if (error != cudaSuccess) return error;
    error = Launch(&MeanKernel, span.grid, span.block, 0, stream, shape, partial, mean);
    if (error != cudaSuccess) return error;
    error = LaunchSum<T, Sum::kSquares>(shape, in, none, mean, partial, stream);
    if (error != cudaSuccess) return error;
    return Launch(&MeanKernel, span.grid, span.block, 0, stream, shape, partial, variance);
  });
}

cudaError_t LaunchBatchNormOutputs(int64_t channels, const float* mean, const float* variance,
                                   const BatchNormOutputs& outputs, cudaStream_t stream) {
  const Span1D span = BlocksFor(channels);
  return Launch(&OutputsKernel, span.grid, span.block, 0, stream, channels, mean, variance,
                outputs);
}

cudaError_t LaunchBatchNormalize(const BatchNormShape& shape, const void* x,
                                 const BatchNormVectors& vectors, const float* offset, void* y,
                                 cudaStream_t stream) {
  const Span1D span = BlocksFor(shape.rows * shape.channels);
  return Visit(ImageElements{}, shape.element, [&]<typename T>(Type<T>) {
    return Launch(&NormalizeKernel<T>, span.grid, span.block, 0, stream, shape,
                  static_cast<const T*>(x), vectors, offset, static_cast<T*>(y));
  });
}

cudaError_t LaunchBatchNormGrad(const BatchNormShape& shape, bool training, const void* dy,
                                const void* x, const BatchNormVectors& vectors, float* partial,
                                float* factors, const BatchNormGradients& gradients,
                                cudaStream_t stream) {
  return Visit(ImageElements{}, shape.element, [&]<typename T>(Type<T>) {
    const T* const in = static_cast<const T*>(x);
    const T* const above = static_cast<const T*>(dy);
    cudaError_t error =
        LaunchSum<T, Sum::kGradients>(shape, in, above, vectors.mean, partial, stream);
    if (error != cudaSuccess) return error;
    Span1D span = BlocksFor(shape.channels);
    error = Launch(&GradientsKernel, span.grid, span.block, 0, stream, shape, training, partial,
                   vectors, factors, gradients.scale, gradients.offset);
    if (error != cudaSuccess) return error;
    span = BlocksFor(shape.rows * shape.channels);
    return Launch(&InputGradientKernel<T>, span.grid, span.block, 0, stream, shape, above, in,
                  vectors.mean, factors, static_cast<T*>(gradients.x));
  });
}

}  // namespace sluice::cuda
