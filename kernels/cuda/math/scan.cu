// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/math/scan.h"

#include <cfloat>

#include "core/device/cuda_launch.h"
#include "kernels/cuda/common/number.cuh"

namespace sluice::cuda {
namespace {

constexpr int kThreads = 256;

struct Plus {
  template <typename T>
  static __device__ Wide<T> First() {
    return 0;
  }
  template <typename W>
  static __device__ W Combine(W a, W b) {
    return Sum(a, b);
  }
};
struct Times {
  template <typename T>
  static __device__ Wide<T> First() {
    return 1;
  }
  template <typename W>
  static __device__ W Combine(W a, W b) {
    return Product(a, b);
  }
};
// log(exp(a) + exp(b)). TensorFlow starts from the lowest number instead of -inf.
struct LogPlus {
  template <typename T>
  static __device__ Wide<T> First() {
    if constexpr (std::is_same_v<T, __half>) {
      return -65504.f;
    } else if constexpr (std::is_same_v<T, __nv_bfloat16>) {
      return -3.38953139e38f;
    } else {
      return std::is_same_v<T, float> ? static_cast<T>(-FLT_MAX) : static_cast<T>(-DBL_MAX);
    }
  }
  template <typename W>
  static __device__ W Combine(W a, W b) {
    const W high = a < b ? b : a, low = a < b ? a : b;
    if (high == low && std::fabs(high) == static_cast<W>(HUGE_VAL)) return high;
    return high + std::log1p(std::exp(low - high));
  }
};

struct Lines {
  int64_t count;  // outer * inner
  int64_t size;
  int64_t inner;
  bool exclusive, reverse;

  // The index of element i of a line, in the order of the scan.
  __device__ int64_t At(int64_t line, int64_t i) const {
    const int64_t place = reverse ? size - 1 - i : i;
    return (line / inner * size + place) * inner + line % inner;
  }
};

// A thread scans a line: for short lines, and if neighbouring lines are adjacent in memory.
template <typename Op, typename T>
__global__ void ScanByThreadsKernel(Lines lines, const T* x, T* y) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t line = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
       line < lines.count; line += step) {
    Wide<T> total = Op::template First<T>();
    const int64_t first = lines.At(line, 0);
    const int64_t stride = lines.reverse ? -lines.inner : lines.inner;
    for (int64_t i = 0; i < lines.size; ++i) {
      const int64_t at = first + i * stride;
      const Wide<T> before = total;
      total = Op::Combine(total, Widen(x[at]));
      y[at] = Narrow<T>(lines.exclusive ? before : total);
    }
  }
}

// A block scans a line, kThreads elements at a time, by Hillis and Steele's method.
template <typename Op, typename T>
__global__ void ScanByBlocksKernel(Lines lines, const T* x, T* y) {
  using W = Wide<T>;
  W* shared = SharedMemory<W>();
  const int t = static_cast<int>(threadIdx.x);
  for (int64_t line = blockIdx.x; line < lines.count; line += gridDim.x) {
    W carry = Op::template First<T>();
    for (int64_t tile = 0; tile < lines.size; tile += kThreads) {
      const bool inside = tile + t < lines.size;
      const int64_t at = inside ? lines.At(line, tile + t) : 0;
      W total = inside ? Widen(x[at]) : Op::template First<T>();
      shared[t] = total;
      __syncthreads();
      for (int reach = 1; reach < kThreads; reach *= 2) {
        const W other = t >= reach ? shared[t - reach] : total;
        __syncthreads();
        if (t >= reach) total = Op::Combine(other, total);
        shared[t] = total;
        __syncthreads();
      }
      if (inside) {
        const W before = t == 0 ? carry : Op::Combine(carry, shared[t - 1]);
        y[at] = Narrow<T>(lines.exclusive ? before : Op::Combine(carry, total));
      }
      carry = Op::Combine(carry, shared[kThreads - 1]);
      __syncthreads();
    }
  }
}

template <typename Op, typename T>
cudaError_t LaunchLines(const Lines& lines, const void* x, void* y, cudaStream_t stream) {
  const auto* from = static_cast<const T*>(x);
  auto* to = static_cast<T*>(y);
  if (lines.inner >= 32 || lines.size <= 32) {
    const Span1D span = BlocksFor(lines.count, kThreads);
    return Launch(&ScanByThreadsKernel<Op, T>, span.grid, span.block, 0, stream, lines, from, to);
  }
  const Span1D span = BlocksFor(lines.count * kThreads, kThreads);
  return Launch(&ScanByBlocksKernel<Op, T>, span.grid, span.block, kThreads * sizeof(Wide<T>),
                stream, lines, from, to);
}

}  // namespace

cudaError_t LaunchScan(ScanOp op, Element element, bool exclusive, bool reverse, const void* x,
                       int64_t outer, int64_t size, int64_t inner, void* y, cudaStream_t stream) {
  if (outer * size * inner == 0) return cudaSuccess;
  const Lines lines{outer * inner, size, inner, exclusive, reverse};
  if (op == ScanOp::kLogSumExp) {
    return Visit(FloatingElements{}, element,
                 [&]<typename T>(Type<T>) { return LaunchLines<LogPlus, T>(lines, x, y, stream); });
  }
  return Visit(Joined<FloatingElements, IndexElements>{}, element, [&]<typename T>(Type<T>) {
    return op == ScanOp::kSum ? LaunchLines<Plus, T>(lines, x, y, stream)
                              : LaunchLines<Times, T>(lines, x, y, stream);
  });
}

}  // namespace sluice::cuda
