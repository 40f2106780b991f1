// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/array/one_hot.h"

#include "core/device/cuda_launch.h"
#include "kernels/cuda/common/bytes.h"
#include "kernels/cuda/common/indices.cuh"
#include "kernels/cuda/common/layout.h"

namespace sluice::cuda {
namespace {

template <typename T>
__global__ void OneHotKernel(Indices indices, Divisor depth, Divisor inner, const T* on,
                             const T* off, T* out, int64_t n) {
  const T hot = *on, cold = *off;
  const bool small = n <= INT32_MAX;
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const int64_t row = small ? inner.DivideSmall(static_cast<uint32_t>(i)) : i / inner.divisor();
    const int64_t outer =
        small ? depth.DivideSmall(static_cast<uint32_t>(row)) : row / depth.divisor();
    const int64_t column = i - row * inner.divisor(), at = row - outer * depth.divisor();
    out[i] = IndexAt(indices, outer * inner.divisor() + column) == at ? hot : cold;
  }
}

}  // namespace

cudaError_t LaunchOneHot(int element_size, Indices indices, int64_t outer, int64_t depth,
                         int64_t inner, const void* on, const void* off, void* out,
                         cudaStream_t stream) {
  const int64_t n = outer * depth * inner;
  if (n == 0) return cudaSuccess;
  const Span1D span = BlocksFor(n);
  return VisitBytes(element_size, [&]<typename T>(Type<T>) {
    return Launch(&OneHotKernel<T>, span.grid, span.block, 0, stream, indices, Divisor(depth),
                  Divisor(inner), static_cast<const T*>(on), static_cast<const T*>(off),
                  static_cast<T*>(out), n);
  });
}

}  // namespace sluice::cuda
