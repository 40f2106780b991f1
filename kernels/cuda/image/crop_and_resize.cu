// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/image/crop_and_resize.h"

#include <algorithm>

#include "core/device/cuda_launch.h"
#include "kernels/common/image/crop_geometry.h"
#include "kernels/cuda/common/rounded.cuh"

namespace sluice::cuda {
namespace {

using kernels::CropNeighbours;
using kernels::CropPositions;
using kernels::CropShares;
using kernels::CropSizes;
using kernels::NearestInCrop;

constexpr int kThreads = 256;

// A pixel of a crop, and where it lies in the image.
struct Pixel {
  int64_t box, y, x;
  int64_t first;  // element of the image
  float in_y, in_x;
  bool inside;

  // `number` counts the pixels of all crops.
  __device__ Pixel(const Crops& crops, int64_t number) {
    const CropSizes& s = crops.sizes;
    x = number % s.crop_width;
    y = number / s.crop_width % s.crop_height;
    box = number / s.crop_width / s.crop_height;
    const float* const edges = crops.boxes + 4 * box;
    const int64_t image = crops.indices[box];
    const CropPositions rows(edges[0], edges[2], s.height, s.crop_height);
    const CropPositions columns(edges[1], edges[3], s.width, s.crop_width);
    in_y = rows.at(y);
    in_x = columns.at(x);
    inside = image >= 0 && image < s.batch && rows.inside(in_y) && columns.inside(in_x);
    first = inside ? image * s.image() : 0;
  }
};

// The elements of a channel around a pixel.
struct Corners {
  CropNeighbours v, h;
  int64_t top_left, top_right, bottom_left, bottom_right;

  __device__ Corners(const CropSizes& s, const Pixel& pixel, int64_t channel)
      : v(pixel.in_y, s.height), h(pixel.in_x, s.width) {
    const int64_t top = pixel.first + v.low * s.width * s.channels + channel;
    const int64_t bottom = pixel.first + v.high * s.width * s.channels + channel;
    top_left = top + h.low * s.channels;
    top_right = top + h.high * s.channels;
    bottom_left = bottom + h.low * s.channels;
    bottom_right = bottom + h.high * s.channels;
  }
};

__device__ inline int64_t NearestElement(const CropSizes& s, const Pixel& pixel, int64_t channel) {
  const int64_t y = NearestInCrop(pixel.in_y, s.height), x = NearestInCrop(pixel.in_x, s.width);
  return pixel.first + (y * s.width + x) * s.channels + channel;
}

template <typename T>
__device__ inline float FloatOf(T value) {
  return static_cast<float>(Widen(value));
}

template <typename T>
__global__ void CropKernel(Crops crops, const T* images, float outside, float* out, int64_t n) {
  const CropSizes& s = crops.sizes;
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const int64_t channel = i % s.channels;
    const Pixel pixel(crops, i / s.channels);
    if (!pixel.inside) {
      out[i] = outside;
    } else if (crops.nearest) {
      out[i] = FloatOf(images[NearestElement(s, pixel, channel)]);
    } else {
      const Corners at(s, pixel, channel);
      const float left_top = FloatOf(images[at.top_left]);
      const float left_bottom = FloatOf(images[at.bottom_left]);
      const float top = left_top + (FloatOf(images[at.top_right]) - left_top) * at.h.part;
      const float bottom =
          left_bottom + (FloatOf(images[at.bottom_right]) - left_bottom) * at.h.part;
      out[i] = top + (bottom - top) * at.v.part;
    }
  }
}

template <typename S>
__global__ void CropGradImageKernel(Crops crops, const float* grads, S* sums, int64_t n) {
  const CropSizes& s = crops.sizes;
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const int64_t channel = i % s.channels;
    const Pixel pixel(crops, i / s.channels);
    if (!pixel.inside) continue;
    if (crops.nearest) {
      atomicAdd(sums + NearestElement(s, pixel, channel), static_cast<S>(grads[i]));
      continue;
    }
    const Corners at(s, pixel, channel);
    const float top = (1 - at.v.part) * grads[i], bottom = at.v.part * grads[i];
    atomicAdd(sums + at.top_left, static_cast<S>((1 - at.h.part) * top));
    atomicAdd(sums + at.top_right, static_cast<S>(at.h.part * top));
    atomicAdd(sums + at.bottom_left, static_cast<S>((1 - at.h.part) * bottom));
    atomicAdd(sums + at.bottom_right, static_cast<S>(at.h.part * bottom));
  }
}

// A block has a box. The order of additions is fixed.
template <typename T>
__global__ void CropGradBoxesKernel(Crops crops, const float* grads, const T* images, float* out) {
  const CropSizes& s = crops.sizes;
  auto* const shared = SharedMemory<double>();  // [4][kThreads]
  const int t = static_cast<int>(threadIdx.x);
  for (int64_t box = blockIdx.x; box < s.boxes; box += gridDim.x) {
    double sums[4] = {};
    for (int64_t i = t; i < s.crop(); i += kThreads) {
      const int64_t number = box * s.crop() + i;
      const Pixel pixel(crops, number / s.channels);
      if (!pixel.inside) continue;
      const Corners at(s, pixel, i % s.channels);
      const float a = FloatOf(images[at.top_left]), b = FloatOf(images[at.top_right]);
      const float d = FloatOf(images[at.bottom_left]), e = FloatOf(images[at.bottom_right]);
      const float g = grads[number];
      const float dy = g * ((1 - at.h.part) * (d - a) + at.h.part * (e - b));
      const float dx = g * ((1 - at.v.part) * (b - a) + at.v.part * (e - d));
      const CropShares rows(pixel.y, s.height, s.crop_height);
      const CropShares columns(pixel.x, s.width, s.crop_width);
      sums[0] += static_cast<double>(dy * rows.first);
      sums[1] += static_cast<double>(dx * columns.first);
      sums[2] += static_cast<double>(dy * rows.last);
      sums[3] += static_cast<double>(dx * columns.last);
    }
    __syncthreads();  // the last box is done
    for (int e = 0; e < 4; ++e) shared[e * kThreads + t] = sums[e];
    for (int half = kThreads / 2; half >= 1; half /= 2) {
      __syncthreads();
      for (int e = 0; e < 4 && t < half; ++e)
        shared[e * kThreads + t] += shared[e * kThreads + t + half];
    }
    __syncthreads();
    if (t < 4) out[4 * box + t] = static_cast<float>(shared[t * kThreads]);
  }
}

}  // namespace

cudaError_t LaunchCrop(Element element, const Crops& crops, const void* images, float outside,
                       float* out, cudaStream_t stream) {
  const int64_t n = crops.sizes.boxes * crops.sizes.crop();
  const Span1D span = BlocksFor(n);
  return Visit(RealElements{}, element, [&]<typename T>(Type<T>) {
    return Launch(&CropKernel<T>, span.grid, span.block, 0, stream, crops,
                  static_cast<const T*>(images), outside, out, n);
  });
}

cudaError_t LaunchCropGradImage(Element element, const Crops& crops, const float* grads, void* sums,
                                cudaStream_t stream) {
  const int64_t n = crops.sizes.boxes * crops.sizes.crop();
  const Span1D span = BlocksFor(n);
  using Sums = ElementList<Element::kFloat, Element::kDouble>;
  return Visit(Sums{}, element, [&]<typename S>(Type<S>) {
    return Launch(&CropGradImageKernel<S>, span.grid, span.block, 0, stream, crops, grads,
                  static_cast<S*>(sums), n);
  });
}

cudaError_t LaunchCropGradBoxes(Element element, const Crops& crops, const float* grads,
                                const void* images, float* out, cudaStream_t stream) {
  constexpr int64_t kMostBlocks = 32 * 132;
  const dim3 grid(static_cast<unsigned>(std::min(crops.sizes.boxes, kMostBlocks)));
  return Visit(RealElements{}, element, [&]<typename T>(Type<T>) {
    return Launch(&CropGradBoxesKernel<T>, grid, dim3(kThreads), 4 * kThreads * sizeof(double),
                  stream, crops, grads, static_cast<const T*>(images), out);
  });
}

}  // namespace sluice::cuda
