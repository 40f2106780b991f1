// SPDX-License-Identifier: Apache-2.0
// Loops over the elements of arrays, for kernels on a grid of one dimension.
#ifndef SLUICE_KERNELS_CUDA_COMMON_EACH_CUH_
#define SLUICE_KERNELS_CUDA_COMMON_EACH_CUH_

#include <cuda_runtime.h>

#include <cstdint>

#include "core/device/cuda_launch.h"

namespace sluice::cuda {

// The elements that a thread processes at a time. Enough bytes must be in flight to hide the
// latency of memory; one half per thread is not enough.
constexpr int kEachAtOnce = 4;

// The grid on which Each walks n elements.
inline Span1D BlocksForEach(int64_t n) { return BlocksFor((n + kEachAtOnce - 1) / kEachAtOnce); }

// For each of n elements: store(i, compute(load(i))). The loads of kEachAtOnce elements are issued
// before the first is computed. The code of `compute` occurs once: the values rotate through
// registers, because functions of <cmath> are long.
template <typename Load, typename Compute, typename Store>
__device__ inline void Each(int64_t n, Load load, Compute compute, Store store) {
  using In = decltype(load(int64_t{0}));
  using Out = decltype(compute(load(int64_t{0})));
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  const int64_t first = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  int64_t i = first;
  for (; i + (kEachAtOnce - 1) * step < n; i += kEachAtOnce * step) {
    In in[kEachAtOnce];
    Out out[kEachAtOnce] = {};
#pragma unroll
    for (int k = 0; k < kEachAtOnce; ++k) in[k] = load(i + k * step);
#pragma unroll 1
    for (int k = 0; k < kEachAtOnce; ++k) {
      const Out result = compute(in[0]);
#pragma unroll
      for (int r = 0; r + 1 < kEachAtOnce; ++r) {
        in[r] = in[r + 1];
        out[r] = out[r + 1];
      }
      out[kEachAtOnce - 1] = result;
    }
#pragma unroll
    for (int k = 0; k < kEachAtOnce; ++k) store(i + k * step, out[k]);
  }
  for (; i < n; i += step) store(i, compute(load(i)));
}

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_COMMON_EACH_CUH_
