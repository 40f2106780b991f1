// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/nn/depthwise_conv.h"

#include <algorithm>

#include "core/device/cuda_launch.h"

namespace sluice::cuda {
namespace {

// Threads that sum an element of the filter over so many pixels: a power of 2.
int FilterThreads(int64_t pixels) {
  int threads = 32;
  while (threads < 256 && threads * 8 < pixels) threads *= 2;
  return threads;
}

struct ImagePlace {
  int64_t n, c, y, x;
};
__device__ ImagePlace PlaceOf(bool channels_first, int64_t i, int64_t channels, int64_t rows,
                              int64_t columns) {
  if (channels_first) {
    const int64_t row = i / columns, image = row / rows;
    return {image / channels, image % channels, row % rows, i % columns};
  }
  const int64_t pixel = i / channels, row = pixel / columns;
  return {row / rows, i % channels, row % rows, pixel % columns};
}
__device__ int64_t At(bool channels_first, const ImagePlace& p, int64_t channels, int64_t rows,
                      int64_t columns) {
  return channels_first ? ((p.n * channels + p.c) * rows + p.y) * columns + p.x
                        : ((p.n * rows + p.y) * columns + p.x) * channels + p.c;
}

template <typename T>
__global__ void DepthwiseKernel(DepthwiseShape s, const T* input, const T* filter, T* out,
                                int64_t count) {
  const WindowSpan h = s.height, w = s.width;
  const int64_t outputs = s.channels * s.multiplier;
  for (int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += int64_t{gridDim.x} * blockDim.x) {
    const ImagePlace to = PlaceOf(s.channels_first, i, outputs, h.out, w.out);
    Wide<T> sum = 0;
    for (int64_t ky = 0; ky < h.kernel; ++ky) {
      const int64_t y = to.y * h.stride - h.pad_before + ky * h.dilation;
      if (y < 0 || y >= h.in) continue;
      for (int64_t kx = 0; kx < w.kernel; ++kx) {
        const int64_t x = to.x * w.stride - w.pad_before + kx * w.dilation;
        if (x < 0 || x >= w.in) continue;
        const ImagePlace from{to.n, to.c / s.multiplier, y, x};
        sum += Widen(input[At(s.channels_first, from, s.channels, h.in, w.in)]) *
               Widen(filter[(ky * w.kernel + kx) * outputs + to.c]);
      }
    }
    out[i] = Narrow<T>(sum);
  }
}

template <typename T>
__global__ void DepthwiseInputKernel(DepthwiseShape s, const T* grad, const T* filter, T* out,
                                     int64_t count) {
  const WindowSpan h = s.height, w = s.width;
  const int64_t outputs = s.channels * s.multiplier;
  for (int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += int64_t{gridDim.x} * blockDim.x) {
    const ImagePlace to = PlaceOf(s.channels_first, i, s.channels, h.in, w.in);
    Wide<T> sum = 0;
    for (int64_t ky = 0; ky < h.kernel; ++ky) {
      const int64_t y = to.y + h.pad_before - ky * h.dilation;
      if (y < 0 || y % h.stride != 0 || y / h.stride >= h.out) continue;
      for (int64_t kx = 0; kx < w.kernel; ++kx) {
        const int64_t x = to.x + w.pad_before - kx * w.dilation;
        if (x < 0 || x % w.stride != 0 || x / w.stride >= w.out) continue;
        for (int64_t m = 0; m < s.multiplier; ++m) {
          const ImagePlace from{to.n, to.c * s.multiplier + m, y / h.stride, x / w.stride};
          sum += Widen(grad[At(s.channels_first, from, outputs, h.out, w.out)]) *
                 Widen(filter[(ky * w.kernel + kx) * outputs + from.c]);
        }
      }
    }
    out[i] = Narrow<T>(sum);
  }
}

template <typename T>
__global__ void DepthwiseFilterKernel(DepthwiseShape s, const T* input, const T* grad, T* out,
                                      int64_t count) {
  const WindowSpan h = s.height, w = s.width;
  const int64_t outputs = s.channels * s.multiplier;
  const int64_t pixels = s.batch * h.out * w.out;
  Wide<T>* const sums = SharedMemory<Wide<T>>();
  for (int64_t i = blockIdx.x; i < count; i += gridDim.x) {
    const int64_t to = i % outputs, ky = i / outputs / w.kernel, kx = i / outputs % w.kernel;
    Wide<T> sum = 0;
    for (int64_t pixel = threadIdx.x; pixel < pixels; pixel += blockDim.x) {
      const int64_t n = pixel / (h.out * w.out);
      const int64_t oy = pixel / w.out % h.out, ox = pixel % w.out;
      const int64_t y = oy * h.stride - h.pad_before + ky * h.dilation;
      const int64_t x = ox * w.stride - w.pad_before + kx * w.dilation;
      if (y < 0 || y >= h.in || x < 0 || x >= w.in) continue;
      const ImagePlace from{n, to / s.multiplier, y, x}, above{n, to, oy, ox};
      sum += Widen(input[At(s.channels_first, from, s.channels, h.in, w.in)]) *
             Widen(grad[At(s.channels_first, above, outputs, h.out, w.out)]);
    }
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
      if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
      __syncthreads();
    }
    if (threadIdx.x == 0) out[i] = Narrow<T>(sums[0]);
    __syncthreads();
  }
}

}  // namespace

cudaError_t LaunchDepthwiseConv(const DepthwiseShape& shape, const void* input, const void* filter,
                                void* out, cudaStream_t stream) {
  const int64_t count =
      shape.batch * shape.channels * shape.multiplier * shape.height.out * shape.width.out;
  const Span1D span = BlocksFor(count);
  return Visit(FloatingElements{}, shape.element, [&]<typename T>(Type<T>) {
    return Launch(&DepthwiseKernel<T>, span.grid, span.block, 0, stream, shape,
                  static_cast<const T*>(input), static_cast<const T*>(filter), static_cast<T*>(out),
                  count);
  });
}

cudaError_t LaunchDepthwiseConvInput(const DepthwiseShape& shape, const void* grad,
                                     const void* filter, void* out, cudaStream_t stream) {
  const int64_t count = shape.batch * shape.channels * shape.height.in * shape.width.in;
  const Span1D span = BlocksFor(count);
  return Visit(FloatingElements{}, shape.element, [&]<typename T>(Type<T>) {
    return Launch(&DepthwiseInputKernel<T>, span.grid, span.block, 0, stream, shape,
                  static_cast<const T*>(grad), static_cast<const T*>(filter), static_cast<T*>(out),
                  count);
  });
}

cudaError_t LaunchDepthwiseConvFilter(const DepthwiseShape& shape, const void* input,
                                      const void* grad, void* out, cudaStream_t stream) {
  const int64_t count =
      shape.height.kernel * shape.width.kernel * shape.channels * shape.multiplier;
  constexpr int64_t kMostBlocks = 1 << 20;
  const dim3 grid(static_cast<unsigned>(std::min(count, kMostBlocks)));
  const int threads = FilterThreads(shape.batch * shape.height.out * shape.width.out);
  return Visit(FloatingElements{}, shape.element, [&]<typename T>(Type<T>) {
    return Launch(&DepthwiseFilterKernel<T>, grid, dim3(threads), threads * sizeof(Wide<T>), stream,
                  shape, static_cast<const T*>(input), static_cast<const T*>(grad),
                  static_cast<T*>(out), count);
  });
}

}  // namespace sluice::cuda
