// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/nn/in_top_k.h"

#include "kernels/cuda/nn/row.cuh"

namespace sluice::cuda {
namespace {

template <int kLanes>
__global__ void InTopKKernel(const float* predictions, const void* targets, bool wide, int64_t rows,
                             int64_t classes, int64_t k, bool* out) {
  const RowPlace<kLanes> place;
  for (int64_t row = place.row; row < rows; row += place.step) {
    const float* x = predictions + row * classes;
    const int64_t target = wide ? static_cast<const int64_t*>(targets)[row]
                                : static_cast<const int32_t*>(targets)[row];
    const bool valid = target >= 0 && target < classes;
    const float wanted = valid ? x[target] : 0.0f;
    int greater = 0, infinite = valid && std::isfinite(wanted) ? 0 : 1;
    for (int64_t i = place.lane; i < classes; i += kLanes) {
      greater += x[i] > wanted ? 1 : 0;
      infinite |= std::isfinite(x[i]) ? 0 : 1;
    }
    greater = CombineRow<kLanes>(greater, Plus{});
    infinite = CombineRow<kLanes>(infinite, Plus{});
    if (place.lane == 0) out[row] = infinite == 0 && greater < k;
  }
}

}  // namespace

cudaError_t LaunchInTopK(const float* predictions, const void* targets, bool wide, int64_t rows,
                         int64_t classes, int64_t k, bool* out, cudaStream_t stream) {
  return LaunchRows<int>(&InTopKKernel<kWarp>, &InTopKKernel<kRowThreads>, rows, classes, stream,
                         predictions, targets, wide, rows, classes, k, out);
}

}  // namespace sluice::cuda
