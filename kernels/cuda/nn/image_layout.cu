// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/nn/image_layout.h"

#include "core/device/cuda_launch.h"

namespace sluice::cuda {
namespace {

struct Permutation {
  PermutedDimension dims[3];
};

template <typename T>
__global__ void PermuteKernel(Permutation p, const T* in, T* out) {
  const int64_t count = p.dims[0].size * p.dims[1].size * p.dims[2].size;
  for (int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += int64_t{gridDim.x} * blockDim.x) {
    const int64_t inner = i % p.dims[2].size, outer = i / p.dims[2].size;
    out[i] = in[outer / p.dims[1].size * p.dims[0].input_stride +
                outer % p.dims[1].size * p.dims[1].input_stride + inner * p.dims[2].input_stride];
  }
}

template <typename T>
__global__ void MoveKernel(ImageWindow w, const T* in, T* out) {
  const int64_t count = w.batch * w.out_rows * w.out_columns * w.inner;
  for (int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += int64_t{gridDim.x} * blockDim.x) {
    const int64_t pixel = i / w.inner;
    const int64_t x = pixel % w.out_columns - w.left;
    const int64_t y = pixel / w.out_columns % w.out_rows - w.top;
    const int64_t n = pixel / (w.out_columns * w.out_rows);
    const bool inside = y >= 0 && y < w.in_rows && x >= 0 && x < w.in_columns;
    out[i] = inside ? in[((n * w.in_rows + y) * w.in_columns + x) * w.inner + i % w.inner] : T(0);
  }
}

// Calls fn(T()) for an unsigned type of the element's size: bits are moved, 0 is 0.
template <typename Fn>
cudaError_t VisitSize(int element_size, const Fn& fn) {
  switch (element_size) {
    case 2:
      return fn(uint16_t{});
    case 4:
      return fn(uint32_t{});
    case 8:
      return fn(uint64_t{});
    default:
      return cudaErrorInvalidValue;
  }
}

}  // namespace

cudaError_t LaunchPermute(int element_size, const PermutedDimension (&dims)[3], const void* in,
                          void* out, cudaStream_t stream) {
  const Permutation p{{dims[0], dims[1], dims[2]}};
  const Span1D span = BlocksFor(dims[0].size * dims[1].size * dims[2].size);
  return VisitSize(element_size, [&]<typename T>(T) {
    return Launch(&PermuteKernel<T>, span.grid, span.block, 0, stream, p, static_cast<const T*>(in),
                  static_cast<T*>(out));
  });
}

cudaError_t LaunchMoveImages(int element_size, const ImageWindow& window, const void* in, void* out,
                             cudaStream_t stream) {
  const Span1D span = BlocksFor(window.batch * window.out_rows * window.out_columns * window.inner);
  return VisitSize(element_size, [&]<typename T>(T) {
    return Launch(&MoveKernel<T>, span.grid, span.block, 0, stream, window,
                  static_cast<const T*>(in), static_cast<T*>(out));
  });
}

}  // namespace sluice::cuda
