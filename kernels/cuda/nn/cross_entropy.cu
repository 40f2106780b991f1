// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/nn/cross_entropy.h"

#include "kernels/cuda/nn/row.cuh"

namespace sluice::cuda {
namespace {

template <typename T>
__device__ inline Wide<T> At(const StretchedMatrix& m, int64_t row, int64_t col) {
  return Widen(static_cast<const T*>(m.data)[row * m.row_stride + col * m.col_stride]);
}

template <int kLanes, typename T>
__global__ void CrossEntropyKernel(StretchedMatrix logits, StretchedMatrix labels, int64_t rows,
                                   int64_t n, T* loss, T* backprop) {
  using C = Wide<T>;
  const RowPlace<kLanes> place;
  for (int64_t row = place.row; row < rows; row += place.step) {
    const auto powers = PowersOfRow<kLanes, C>(
        place.lane, n, [&](int64_t i) -> C { return At<T>(logits, row, i); });
    const C log_sum = std::log(powers.sum);
    C total = 0;
    for (int64_t i = place.lane; i < n; i += kLanes) {
      const C shifted = At<T>(logits, row, i) - powers.greatest;
      const C want = At<T>(labels, row, i);
      total += want * (log_sum - shifted);
      backprop[row * n + i] = Narrow<T>(std::exp(shifted) / powers.sum - want);
    }
    total = CombineRow<kLanes>(total, Plus{});
    if (place.lane == 0) loss[row] = Narrow<T>(total);
  }
}

template <int kLanes, typename T>
__global__ void SparseCrossEntropyKernel(const T* logits, const void* labels, bool wide_labels,
                                         int64_t rows, int64_t n, T* loss, T* backprop) {
  using C = Wide<T>;
  const C nan = std::numeric_limits<C>::quiet_NaN();
  const RowPlace<kLanes> place;
  for (int64_t row = place.row; row < rows; row += place.step) {
    const T* x = logits + row * n;
    const int64_t label = wide_labels ? static_cast<const int64_t*>(labels)[row]
                                      : static_cast<const int32_t*>(labels)[row];
    const bool valid = label >= 0 && label < n;
    const auto powers =
        PowersOfRow<kLanes, C>(place.lane, n, [x](int64_t i) -> C { return Widen(x[i]); });
    const C scale = valid ? C(1) / powers.sum : nan;
    for (int64_t i = place.lane; i < n; i += kLanes) {
      const C softmax = std::exp(Widen(x[i]) - powers.greatest) * scale;
      backprop[row * n + i] = Narrow<T>(i == label ? softmax - C(1) : softmax);
    }
    if (place.lane == 0) {
      loss[row] =
          Narrow<T>(valid ? std::log(powers.sum) - (Widen(x[label]) - powers.greatest) : nan);
    }
  }
}

}  // namespace

cudaError_t LaunchCrossEntropy(Element element, const StretchedMatrix& logits,
                               const StretchedMatrix& labels, int64_t rows, int64_t n, void* loss,
                               void* backprop, cudaStream_t stream) {
  return Visit(FloatingElements{}, element, [&]<typename T>(Type<T>) {
    return LaunchRows<Wide<T>>(&CrossEntropyKernel<kWarp, T>, &CrossEntropyKernel<kRowThreads, T>,
                               rows, n, stream, logits, labels, rows, n, static_cast<T*>(loss),
                               static_cast<T*>(backprop));
  });
}

cudaError_t LaunchSparseCrossEntropy(Element element, const void* logits, const void* labels,
                                     bool wide_labels, int64_t rows, int64_t n, void* loss,
                                     void* backprop, cudaStream_t stream) {
  return Visit(FloatingElements{}, element, [&]<typename T>(Type<T>) {
    return LaunchRows<Wide<T>>(&SparseCrossEntropyKernel<kWarp, T>,
                               &SparseCrossEntropyKernel<kRowThreads, T>, rows, n, stream,
                               static_cast<const T*>(logits), labels, wide_labels, rows, n,
                               static_cast<T*>(loss), static_cast<T*>(backprop));
  });
}

}  // namespace sluice::cuda
