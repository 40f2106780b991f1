// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/math/addn.h"

#include "kernels/cuda/common/each.cuh"
#include "kernels/cuda/common/number.cuh"

namespace sluice::cuda {
namespace {

constexpr int kAtOnce = 8;  // inputs of one launch

struct Inputs {
  const void* of[kAtOnce];
  int count;
};

template <typename T>
__global__ void AddNKernel(const __grid_constant__ Inputs inputs, T* out, int64_t n) {
  Each(
      n,
      [&](int64_t i) {
        auto sum = Widen(static_cast<const T*>(inputs.of[0])[i]);
        for (int k = 1; k < inputs.count; ++k)
          sum = Sum(sum, Widen(static_cast<const T*>(inputs.of[k])[i]));
        return sum;
      },
      [](Wide<T> sum) { return Narrow<T>(sum); }, [=](int64_t i, T v) { out[i] = v; });
}

using AddElements = Joined<Joined<FloatingElements, ComplexElements>, ElementList<Element::kInt64>>;

}  // namespace

cudaError_t LaunchAddN(Element element, const void* const* inputs, int count, void* out, int64_t n,
                       cudaStream_t stream) {
  return Visit(AddElements{}, element, [&]<typename T>(Type<T>) {
    const Span1D span = BlocksForEach(n);
    Inputs part{{inputs[0]}, 1};
    for (int next = 1;;) {
      while (next < count && part.count < kAtOnce) part.of[part.count++] = inputs[next++];
      const cudaError_t error =
          Launch(&AddNKernel<T>, span.grid, span.block, 0, stream, part, static_cast<T*>(out), n);
      if (error != cudaSuccess || next == count) return error;
      part = {{out}, 1};  // and the sum so far
    }
  });
}

}  // namespace sluice::cuda
