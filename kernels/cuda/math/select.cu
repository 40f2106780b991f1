// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/math/select.h"

#include "kernels/cuda/common/bytes.h"
#include "kernels/cuda/common/each.cuh"

namespace sluice::cuda {
namespace {

template <typename T>
__global__ void FlatSelectKernel(const bool* condition, const T* then, const T* otherwise, T* out,
                                 int64_t n, int step_c, int step_t, int step_e) {
  Each(
      n,
      [=](int64_t i) { return condition[i * step_c] ? then[i * step_t] : otherwise[i * step_e]; },
      [](T v) { return v; }, [=](int64_t i, T v) { out[i] = v; });
}

template <typename T>
__global__ void SelectKernel(const bool* condition, const T* then, const T* otherwise, T* out,
                             const __grid_constant__ Layout<3> layout) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < layout.elements;
       i += step) {
    const auto from = layout.OffsetsOf(i);
    out[i] = condition[from.at[0]] ? then[from.at[1]] : otherwise[from.at[2]];
  }
}

template <typename T>
struct Clipped {
  T x, low, high;
};

template <typename T>
__global__ void ClipKernel(const T* x, const T* low, int step_low, const T* high, int step_high,
                           T* out, int64_t n) {
  Each(
      n,
      [=](int64_t i) {
        return Clipped<T>{x[i], low[i * step_low], high[i * step_high]};
      },
      [](Clipped<T> v) {
        const auto value = Widen(v.x), least = Widen(v.low), most = Widen(v.high);
        const auto upper = most < value ? most : value;
        return Narrow<T>(upper < least ? least : upper);
      },
      [=](int64_t i, T v) { out[i] = v; });
}

using ClipElements =
    Joined<FloatingElements, ElementList<Element::kInt8, Element::kInt16, Element::kInt64,
                                         Element::kUInt8, Element::kUInt16>>;

}  // namespace

cudaError_t LaunchSelect(int element_size, const bool* condition, const void* then,
                         const void* otherwise, void* out, const Layout<3>& layout,
                         cudaStream_t stream) {
  return VisitBytes(element_size, [&]<typename T>(Type<T>) {
    const auto* t = static_cast<const T*>(then);
    const auto* e = static_cast<const T*>(otherwise);
    if (layout.rank > 1) {
      const Span1D span = BlocksFor(layout.elements);
      return Launch(&SelectKernel<T>, span.grid, span.block, 0, stream, condition, t, e,
                    static_cast<T*>(out), layout);
    }
    int step[3] = {};
    for (int o = 0; o < 3 && layout.rank == 1; ++o)
      step[o] = static_cast<int>(layout.dims[0].stride[o]);
    const Span1D span = BlocksForEach(layout.elements);
    return Launch(&FlatSelectKernel<T>, span.grid, span.block, 0, stream, condition, t, e,
                  static_cast<T*>(out), layout.elements, step[0], step[1], step[2]);
  });
}

cudaError_t LaunchClip(Element element, const void* x, const void* low, bool low_fixed,
                       const void* high, bool high_fixed, void* out, int64_t n,
                       cudaStream_t stream) {
  return Visit(ClipElements{}, element, [&]<typename T>(Type<T>) {
    const Span1D span = BlocksForEach(n);
    return Launch(&ClipKernel<T>, span.grid, span.block, 0, stream, static_cast<const T*>(x),
                  static_cast<const T*>(low), low_fixed ? 0 : 1, static_cast<const T*>(high),
                  high_fixed ? 0 : 1, static_cast<T*>(out), n);
  });
}

}  // namespace sluice::cuda
