// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/nn/softmax.h"

#include "kernels/cuda/nn/row.cuh"

namespace sluice::cuda {
namespace {

// A NaN anywhere in a row, or an infinite maximum, makes all of it NaN.
template <int kLanes, bool kLog, typename T>
__global__ void SoftmaxKernel(const T* in, int64_t rows, int64_t n, T* out) {
  using C = Wide<T>;
  const RowPlace<kLanes> place;
  for (int64_t row = place.row; row < rows; row += place.step) {
    const T* x = in + row * n;
    T* y = out + row * n;
    const auto powers =
        PowersOfRow<kLanes, C>(place.lane, n, [x](int64_t i) -> C { return Widen(x[i]); });
    const C scale = kLog ? std::log(powers.sum) : C(1) / powers.sum;
    for (int64_t i = place.lane; i < n; i += kLanes) {
      const C shifted = Widen(x[i]) - powers.greatest;
      y[i] = Narrow<T>(kLog ? shifted - scale : std::exp(shifted) * scale);
    }
  }
}

template <bool kLog, typename T>
cudaError_t LaunchOf(const void* in, int64_t rows, int64_t n, void* out, cudaStream_t stream) {
  return LaunchRows<Wide<T>>(&SoftmaxKernel<kWarp, kLog, T>, &SoftmaxKernel<kRowThreads, kLog, T>,
                             rows, n, stream, static_cast<const T*>(in), rows, n,
                             static_cast<T*>(out));
}

}  // namespace

cudaError_t LaunchSoftmax(bool log, Element element, const void* in, int64_t rows, int64_t n,
                          void* out, cudaStream_t stream) {
  if (n == 0) return cudaSuccess;
  return Visit(FloatingElements{}, element, [&]<typename T>(Type<T>) {
    return log ? LaunchOf<true, T>(in, rows, n, out, stream)
               : LaunchOf<false, T>(in, rows, n, out, stream);
  });
}

}  // namespace sluice::cuda
