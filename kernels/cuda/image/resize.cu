// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/image/resize.h"

#include <cmath>

#include "core/device/cuda_launch.h"
#include "kernels/common/image/resize_scale.h"
#include "kernels/cuda/common/bytes.h"

namespace sluice::cuda {
namespace {

using kernels::NearestPixel;
using kernels::ResizeScale;

// The two input pixels that an output pixel mixes along one dimension.
struct Mixed {
  int64_t low, high;
  float low_weight, high_weight;
};

struct Bilinear {
  ResizeScale scale;
  int64_t last;

  __device__ Bilinear(const ResizeShape& s, int64_t in, int64_t out)
      : scale(in, out, s.align_corners, s.half_pixel_centers), last(in - 1) {}
  __device__ int64_t Clamp(int64_t i) const { return i < 0 ? 0 : i > last ? last : i; }
  __device__ Mixed operator()(int64_t i) const {
    const float at = scale(i), below = std::floor(at), part = at - below;
    const auto pixel = static_cast<int64_t>(below);
    const int64_t low = Clamp(pixel), high = part == 0 ? low : Clamp(pixel + 1);
    return low == high ? Mixed{low, low, 1, 0} : Mixed{low, high, 1 - part, part};
  }
  __device__ int64_t Low(int64_t i) const { return (*this)(i).low; }
  __device__ int64_t High(int64_t i) const { return (*this)(i).high; }
  __device__ float Weight(int64_t i, int64_t pixel) const {
    const Mixed mixed = (*this)(i);
    return pixel == mixed.low ? mixed.low_weight : pixel == mixed.high ? mixed.high_weight : 0;
  }
};

struct Nearest {
  NearestPixel pixel;

  __device__ Nearest(const ResizeShape& s, int64_t in, int64_t out)
      : pixel(in, out, s.align_corners, s.half_pixel_centers) {}
  __device__ int64_t Low(int64_t i) const { return pixel(i); }
  __device__ int64_t High(int64_t i) const { return pixel(i); }
  __device__ float Weight(int64_t i, int64_t of) const { return pixel(i) == of ? 1 : 0; }
};

// The output pixels that read an input pixel: their positions rise with their numbers.
struct Readers {
  int64_t begin, end;

  template <typename Map>
  __device__ static Readers Of(const Map& map, int64_t pixel, int64_t out) {
    Readers readers{0, 0};
    int64_t high = out;  // the first whose pixels reach this one
    while (readers.begin < high) {
      const int64_t middle = readers.begin + (high - readers.begin) / 2;
      if (map.High(middle) >= pixel)
        high = middle;
      else
        readers.begin = middle + 1;
    }
    readers.end = readers.begin;
    high = out;  // the first whose pixels are all behind it
    while (readers.end < high) {
      const int64_t middle = readers.end + (high - readers.end) / 2;
      if (map.Low(middle) > pixel)
        high = middle;
      else
        readers.end = middle + 1;
    }
    return readers;
  }
};

// A place in an array [batch, height, width, channels].
struct Place {
  int64_t image, y, x, channel;

  __device__ Place(int64_t i, int64_t height, int64_t width, int64_t channels)
      : image(i / channels / width / height),
        y(i / channels / width % height),
        x(i / channels % width),
        channel(i % channels) {}
};

template <typename T>
__global__ void BilinearKernel(ResizeShape s, const T* images, float* out, int64_t n) {
  const Bilinear rows(s, s.in_height, s.out_height), columns(s, s.in_width, s.out_width);
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const Place at(i, s.out_height, s.out_width, s.channels);
    const Mixed v = rows(at.y), h = columns(at.x);
    const auto read = [&](int64_t y, int64_t x) {
      const int64_t from = ((at.image * s.in_height + y) * s.in_width + x) * s.channels;
      return static_cast<float>(Widen(images[from + at.channel]));
    };
    const auto along = [&](int64_t y) {
      const float low = h.low_weight * read(y, h.low);
      return h.high_weight == 0 ? low : low + h.high_weight * read(y, h.high);
    };
    const float top = v.low_weight * along(v.low);
    out[i] = v.high_weight == 0 ? top : top + v.high_weight * along(v.high);
  }
}

template <typename T>
__global__ void NearestKernel(ResizeShape s, const T* images, T* out, int64_t n) {
  const Nearest rows(s, s.in_height, s.out_height), columns(s, s.in_width, s.out_width);
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const Place at(i, s.out_height, s.out_width, s.channels);
    const int64_t y = rows.pixel(at.y), x = columns.pixel(at.x);
    out[i] = images[((at.image * s.in_height + y) * s.in_width + x) * s.channels + at.channel];
  }
}

// Each input pixel gathers the gradients of those that read it, in a fixed order.
template <typename Map, typename T, typename G>
__global__ void ResizeGradKernel(ResizeShape s, const G* grads, T* out, int64_t n) {
  const Map rows(s, s.in_height, s.out_height), columns(s, s.in_width, s.out_width);
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const Place at(i, s.in_height, s.in_width, s.channels);
    const Readers of_rows = Readers::Of(rows, at.y, s.out_height);
    const Readers of_columns = Readers::Of(columns, at.x, s.out_width);
    Wide<G> sum = 0;
    for (int64_t y = of_rows.begin; y < of_rows.end; ++y) {
      Wide<G> of_row = 0;
      for (int64_t x = of_columns.begin; x < of_columns.end; ++x) {
        const int64_t from = ((at.image * s.out_height + y) * s.out_width + x) * s.channels;
        of_row += columns.Weight(x, at.x) * Widen(grads[from + at.channel]);
      }
      sum += rows.Weight(y, at.y) * of_row;
    }
    out[i] = Narrow<T>(static_cast<Wide<T>>(sum));
  }
}

int64_t InputElements(const ResizeShape& s) {
  return s.batch * s.in_height * s.in_width * s.channels;
}
int64_t OutputElements(const ResizeShape& s) {
  return s.batch * s.out_height * s.out_width * s.channels;
}

}  // namespace

cudaError_t LaunchResizeBilinear(Element element, const ResizeShape& shape, const void* images,
                                 float* out, cudaStream_t stream) {
  const int64_t n = OutputElements(shape);
  const Span1D span = BlocksFor(n);
  return Visit(RealElements{}, element, [&]<typename T>(Type<T>) {
    return Launch(&BilinearKernel<T>, span.grid, span.block, 0, stream, shape,
                  static_cast<const T*>(images), out, n);
  });
}

cudaError_t LaunchResizeBilinearGrad(Element element, const ResizeShape& shape, const float* grads,
                                     void* out, cudaStream_t stream) {
  const int64_t n = InputElements(shape);
  const Span1D span = BlocksFor(n);
  return Visit(FloatingElements{}, element, [&]<typename T>(Type<T>) {
    return Launch(&ResizeGradKernel<Bilinear, T, float>, span.grid, span.block, 0, stream, shape,
                  grads, static_cast<T*>(out), n);
  });
}

cudaError_t LaunchResizeNearest(int element_size, const ResizeShape& shape, const void* images,
                                void* out, cudaStream_t stream) {
  const int64_t n = OutputElements(shape);
  const Span1D span = BlocksFor(n);
  return VisitBytes(element_size, [&]<typename T>(Type<T>) {
    return Launch(&NearestKernel<T>, span.grid, span.block, 0, stream, shape,
                  static_cast<const T*>(images), static_cast<T*>(out), n);
  });
}

cudaError_t LaunchResizeNearestGrad(Element element, const ResizeShape& shape, const void* grads,
                                    void* out, cudaStream_t stream) {
  const int64_t n = InputElements(shape);
  const Span1D span = BlocksFor(n);
  return Visit(FloatingElements{}, element, [&]<typename T>(Type<T>) {
    return Launch(&ResizeGradKernel<Nearest, T, T>, span.grid, span.block, 0, stream, shape,
                  static_cast<const T*>(grads), static_cast<T*>(out), n);
  });
}

}  // namespace sluice::cuda
