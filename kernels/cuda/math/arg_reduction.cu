// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/math/arg_reduction.h"

#include <cmath>

#include "kernels/cuda/common/reduce.cuh"

namespace sluice::cuda {
namespace {

template <typename W>
struct Winner {
  W value;
  int64_t at;
};

// Of equal elements, the first.
template <typename W>
__device__ Winner<W> Better(Winner<W> a, Winner<W> b, bool greatest) {
  const bool later = greatest ? b.value > a.value : b.value < a.value;
  return later || (b.value == a.value && b.at < a.at) ? b : a;
}

template <typename T, typename Index>
__global__ void ArgReductionKernel(const __grid_constant__ ReduceShape shape, bool greatest,
                                   const T* x, Index* out) {
  using W = Wide<T>;
  const BlockPlace place(shape.lanes, shape.inner_kept);
  const int64_t output =
      static_cast<int64_t>(blockIdx.x) * (kReduceThreads / shape.lanes) + place.slot;
  // Starts with the worst number at index 0: a NaN there stays unless an element is better.
  const W worst = static_cast<W>(greatest ? -HUGE_VAL : HUGE_VAL);
  Winner<W> best{worst, 0};
  if (output < shape.outputs) {
    const T* first = x + shape.kept.OffsetsOf(output).at[0];
    const int64_t stride = shape.reduced.rank == 0 ? 0 : shape.reduced.dims[0].stride[0];
    for (int64_t i = place.lane; i < shape.count; i += shape.lanes) {
      const W value = Widen(first[i * stride]);
      if (greatest ? value > best.value : value < best.value) best = {value, i};
    }
  }
  best = CombineLanes(best, place, shape.lanes,
                      [=](Winner<W> a, Winner<W> b) { return Better(a, b, greatest); });
  if (place.lane == 0 && output < shape.outputs) out[output] = static_cast<Index>(best.at);
}

}  // namespace

cudaError_t LaunchArgReduction(bool greatest, Element element, Element index, const void* x,
                               int64_t outer, int64_t size, int64_t inner, void* out,
                               cudaStream_t stream) {
  const int64_t sizes[] = {outer, size, inner};
  const bool reduced[] = {false, true, false};
  const ReduceShape shape = ReduceShape::Of(3, sizes, reduced);
  if (shape.outputs == 0) return cudaSuccess;
  const int64_t slots = kReduceThreads / shape.lanes;
  const auto blocks = static_cast<unsigned>((shape.outputs + slots - 1) / slots);
  return Visit(FloatingElements{}, element, [&]<typename T>(Type<T>) {
    return Visit(IndexElements{}, index, [&]<typename Index>(Type<Index>) {
      return Launch(&ArgReductionKernel<T, Index>, dim3(blocks), dim3(kReduceThreads),
                    kReduceThreads * sizeof(Winner<Wide<T>>), stream, shape, greatest,
                    static_cast<const T*>(x), static_cast<Index*>(out));
    });
  });
}

}  // namespace sluice::cuda
