// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/random/multinomial.h"

#include <algorithm>
#include <cmath>

#include "core/device/cuda_launch.h"
#include "kernels/common/random/distributions.h"
#include "kernels/cuda/common/rounded.cuh"

namespace sluice::cuda {
namespace {

using kernels::Philox;

constexpr int kThreads = 256;

// sums[row, i]: the sum of exp(logit - largest) up to logit i, added in order. A block has a row.
template <typename T>
__global__ void RunningSumsKernel(const T* logits, int64_t rows, int64_t classes, double* sums) {
  double* const shared = SharedMemory<double>();
  const int t = static_cast<int>(threadIdx.x);
  for (int64_t row = blockIdx.x; row < rows; row += gridDim.x) {
    const T* const from = logits + row * classes;
    double largest = -HUGE_VAL;
    for (int64_t i = t; i < classes; i += kThreads) {
      const double logit = Widen(from[i]);
      if (std::isfinite(logit)) largest = largest < logit ? logit : largest;
    }
    __syncthreads();  // the last row is done
    shared[t] = largest;
    for (int half = kThreads / 2; half >= 1; half /= 2) {
      __syncthreads();
      if (t < half) shared[t] = shared[t] < shared[t + half] ? shared[t + half] : shared[t];
    }
    __syncthreads();
    largest = shared[0];
    double total = 0;  // of the first thread
    for (int64_t tile = 0; tile < classes; tile += kThreads) {
      const double logit = tile + t < classes ? static_cast<double>(Widen(from[tile + t])) : NAN;
      __syncthreads();
      shared[t] = std::isfinite(logit) ? std::exp(logit - largest) : 0;
      __syncthreads();
      for (int i = 0; t == 0 && i < kThreads; ++i) shared[i] = total += shared[i];
      __syncthreads();
      if (tile + t < classes) sums[row * classes + tile + t] = shared[t];
    }
  }
}

template <typename I>
__global__ void DrawKernel(Philox philox, const double* sums, int64_t rows, int64_t classes,
                           int64_t samples, int64_t share, I* out) {
  const int64_t n = rows * samples, step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const int64_t row = i / samples, first = row / share * share;
    const int64_t word = 2 * (i - first * samples);
    const Philox::Block words =
        philox.At(static_cast<uint64_t>(first * (samples + 3) / 4 + word / 4));
    const double* const of_row = sums + row * classes;
    const double at =
        kernels::UniformDouble(words[word % 4], words[word % 4 + 1]) * of_row[classes - 1];
    int64_t low = 0, high = classes;  // the first sum above `at`
    while (low < high) {
      const int64_t middle = low + (high - low) / 2;
      if (at < of_row[middle])
        high = middle;
      else
        low = middle + 1;
    }
    out[i] = static_cast<I>(low);
  }
}

template <typename I>
cudaError_t LaunchDraw(const Philox& philox, const double* sums, int64_t rows, int64_t classes,
                       int64_t samples, int64_t share, void* out, cudaStream_t stream) {
  const Span1D span = BlocksFor(rows * samples);
  return Launch(&DrawKernel<I>, span.grid, span.block, 0, stream, philox, sums, rows, classes,
                samples, share, static_cast<I*>(out));
}

}  // namespace

cudaError_t LaunchMultinomial(Element element, const Philox& philox, const void* logits,
                              int64_t rows, int64_t classes, int64_t samples, int64_t share,
                              double* sums, void* out, bool wide, cudaStream_t stream) {
  constexpr int64_t kMostBlocks = 8 * 132;
  const dim3 grid(static_cast<unsigned>(std::min(rows, kMostBlocks)));
  const cudaError_t error = Visit(FloatingElements{}, element, [&]<typename T>(Type<T>) {
    return Launch(&RunningSumsKernel<T>, grid, dim3(kThreads), kThreads * sizeof(double), stream,
                  static_cast<const T*>(logits), rows, classes, sums);
  });
  if (error != cudaSuccess) return error;
  return wide ? LaunchDraw<int64_t>(philox, sums, rows, classes, samples, share, out, stream)
              : LaunchDraw<int32_t>(philox, sums, rows, classes, samples, share, out, stream);
}

}  // namespace sluice::cuda
