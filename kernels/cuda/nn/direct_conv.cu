// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/nn/direct_conv.h"

#include <type_traits>

#include "core/device/cuda_launch.h"

namespace sluice::cuda {
namespace {

using ConvElements = Joined<FloatingElements, ElementList<Element::kInt32>>;

// Sums of integers wrap.
template <typename T>
using SumOf = std::conditional_t<std::is_same_v<T, int32_t>, uint32_t, Wide<T>>;

template <typename T>
__device__ T Rounded(SumOf<T> sum) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(sum);
  } else {
    return Narrow<T>(sum);
  }
}

// A pixel's channel in images of `rows` by `columns` pixels.
__device__ int64_t At(const DirectConv& conv, int64_t n, int64_t c, int64_t channels, int64_t y,
                      int64_t rows, int64_t x, int64_t columns) {
  return conv.channels_first ? ((n * channels + c) * rows + y) * columns + x
                             : ((n * rows + y) * columns + x) * channels + c;
}

// Where element i of images lies.
struct Place {
  int64_t n, c, y, x;
};
__device__ Place PlaceOf(const DirectConv& conv, int64_t i, int64_t channels, int64_t rows,
                         int64_t columns) {
  if (conv.channels_first) {
    const int64_t row = i / columns, image = row / rows;
    return {image / channels, image % channels, row % rows, i % columns};
  }
  const int64_t pixel = i / channels, row = pixel / columns;
  return {row / rows, i % channels, row % rows, pixel % columns};
}

template <typename T>
__global__ void ForwardKernel(DirectConv conv, const T* input, const T* filter, T* out,
                              int64_t count) {
  const WindowSpan h = conv.height, w = conv.width;
  const int64_t depth = conv.in_channels / conv.groups;
  const int64_t group_out = conv.out_channels / conv.groups;
  for (int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += int64_t{gridDim.x} * blockDim.x) {
    const Place to = PlaceOf(conv, i, conv.out_channels, h.out, w.out);
    const int64_t first = to.c / group_out * depth;
    SumOf<T> sum(0);
    for (int64_t ky = 0; ky < h.kernel; ++ky) {
      const int64_t y = to.y * h.stride - h.pad_before + ky * h.dilation;
      if (y < 0 || y >= h.in) continue;
      for (int64_t kx = 0; kx < w.kernel; ++kx) {
        const int64_t x = to.x * w.stride - w.pad_before + kx * w.dilation;
        if (x < 0 || x >= w.in) continue;
        const T* const taps = filter + (ky * w.kernel + kx) * depth * conv.out_channels + to.c;
        for (int64_t c = 0; c < depth; ++c) {
          const T in = input[At(conv, to.n, first + c, conv.in_channels, y, h.in, x, w.in)];
          sum += SumOf<T>(Widen(in)) * SumOf<T>(Widen(taps[c * conv.out_channels]));
        }
      }
    }
    out[i] = Rounded<T>(sum);
  }
}

// The output along one dimension that tap k of its window took from input i, or -1.
__device__ int64_t OutputOf(const WindowSpan& w, int64_t i, int64_t k) {
  const int64_t from = i + w.pad_before - k * w.dilation;
  if (from < 0 || from % w.stride != 0) return -1;
  return from / w.stride < w.out ? from / w.stride : -1;
}

template <typename T>
__global__ void InputKernel(DirectConv conv, const T* grad, const T* filter, T* out,
                            int64_t count) {
  const WindowSpan h = conv.height, w = conv.width;
  const int64_t depth = conv.in_channels / conv.groups;
  const int64_t group_out = conv.out_channels / conv.groups;
  for (int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += int64_t{gridDim.x} * blockDim.x) {
    const Place to = PlaceOf(conv, i, conv.in_channels, h.in, w.in);
    const int64_t first = to.c / depth * group_out;
    SumOf<T> sum(0);
    for (int64_t ky = 0; ky < h.kernel; ++ky) {
      const int64_t y = OutputOf(h, to.y, ky);
      if (y < 0) continue;
      for (int64_t kx = 0; kx < w.kernel; ++kx) {
        const int64_t x = OutputOf(w, to.x, kx);
        if (x < 0) continue;
        const T* const taps =
            filter + ((ky * w.kernel + kx) * depth + to.c % depth) * conv.out_channels + first;
        for (int64_t c = 0; c < group_out; ++c) {
          const T by = grad[At(conv, to.n, first + c, conv.out_channels, y, h.out, x, w.out)];
          sum += SumOf<T>(Widen(by)) * SumOf<T>(Widen(taps[c]));
        }
      }
    }
    out[i] = Rounded<T>(sum);
  }
}

template <typename T>
__global__ void FilterKernel(DirectConv conv, const T* input, const T* grad, T* out,
                             int64_t count) {
  const WindowSpan h = conv.height, w = conv.width;
  const int64_t depth = conv.in_channels / conv.groups;
  const int64_t group_out = conv.out_channels / conv.groups;
  for (int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += int64_t{gridDim.x} * blockDim.x) {
    const int64_t to = i % conv.out_channels, rest = i / conv.out_channels;
    const int64_t from = to / group_out * depth + rest % depth;
    const int64_t ky = rest / depth / w.kernel, kx = rest / depth % w.kernel;
    SumOf<T> sum(0);
    for (int64_t n = 0; n < conv.batch; ++n) {
      for (int64_t oy = 0; oy < h.out; ++oy) {
        const int64_t y = oy * h.stride - h.pad_before + ky * h.dilation;
        if (y < 0 || y >= h.in) continue;
        for (int64_t ox = 0; ox < w.out; ++ox) {
          const int64_t x = ox * w.stride - w.pad_before + kx * w.dilation;
          if (x < 0 || x >= w.in) continue;
          const T in = input[At(conv, n, from, conv.in_channels, y, h.in, x, w.in)];
          const T by = grad[At(conv, n, to, conv.out_channels, oy, h.out, ox, w.out)];
          sum += SumOf<T>(Widen(in)) * SumOf<T>(Widen(by));
        }
      }
    }
    out[i] = Rounded<T>(sum);
  }
}

}  // namespace

cudaError_t LaunchDirectConv(const DirectConv& conv, const void* input, const void* filter,
                             void* out, cudaStream_t stream) {
  const int64_t count = conv.batch * conv.out_channels * conv.height.out * conv.width.out;
  const Span1D span = BlocksFor(count);
  return Visit(ConvElements{}, conv.element, [&]<typename T>(Type<T>) {
    return Launch(&ForwardKernel<T>, span.grid, span.block, 0, stream, conv,
                  static_cast<const T*>(input), static_cast<const T*>(filter), static_cast<T*>(out),
                  count);
  });
}

cudaError_t LaunchDirectConvInput(const DirectConv& conv, const void* grad, const void* filter,
                                  void* out, cudaStream_t stream) {
  const int64_t count = conv.batch * conv.in_channels * conv.height.in * conv.width.in;
  const Span1D span = BlocksFor(count);
  return Visit(ConvElements{}, conv.element, [&]<typename T>(Type<T>) {
    return Launch(&InputKernel<T>, span.grid, span.block, 0, stream, conv,
                  static_cast<const T*>(grad), static_cast<const T*>(filter), static_cast<T*>(out),
                  count);
  });
}

cudaError_t LaunchDirectConvFilter(const DirectConv& conv, const void* input, const void* grad,
                                   void* out, cudaStream_t stream) {
  const int64_t count =
      conv.height.kernel * conv.width.kernel * (conv.in_channels / conv.groups) * conv.out_channels;
  const Span1D span = BlocksFor(count);
  return Visit(ConvElements{}, conv.element, [&]<typename T>(Type<T>) {
    return Launch(&FilterKernel<T>, span.grid, span.block, 0, stream, conv,
                  static_cast<const T*>(input), static_cast<const T*>(grad), static_cast<T*>(out),
                  count);
  });
}

}  // namespace sluice::cuda
