// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/array/pad.h"

#include <cstring>

#include "core/device/cuda_launch.h"
#include "kernels/cuda/common/bytes.h"
#include "kernels/cuda/common/layout.h"

namespace sluice::cuda {
namespace {

// The dimensions, innermost first, with the steps of the source.
struct Padding {
  struct Dim {
    Divisor out;
    int64_t in, before, stride;
  };
  int64_t elements;  // of the result
  int32_t rank;
  Dim dims[kMaxPadRank];
};

Padding PaddingOf(const PadDim* dims, int count) {
  Padding padding{};
  padding.elements = 1;
  padding.rank = count;
  int64_t stride = 1;
  for (int d = 0; d < count; ++d) {
    const PadDim& dim = dims[count - 1 - d];
    padding.dims[d] = {Divisor(dim.out), dim.in, dim.before, stride};
    stride *= dim.in;
    padding.elements *= dim.out;
  }
  return padding;
}

// The coordinate of `index` in dimension d; index loses it.
__device__ inline int64_t TakeCoordinate(const Padding& padding, int d, int64_t* index) {
  const Divisor& size = padding.dims[d].out;
  const int64_t outer = padding.elements <= INT32_MAX
                            ? size.DivideSmall(static_cast<uint32_t>(*index))
                            : *index / size.divisor();
  const int64_t coordinate = *index - outer * size.divisor();
  *index = outer;
  return coordinate;
}

template <typename T>
__global__ void PadKernel(const T* from, T* to, T value, const __grid_constant__ Padding padding) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
       i < padding.elements; i += step) {
    int64_t rest = i, source = 0;
    bool inside = true;
    for (int d = 0; d < padding.rank; ++d) {
      const int64_t at = TakeCoordinate(padding, d, &rest) - padding.dims[d].before;
      inside = inside && at >= 0 && at < padding.dims[d].in;
      source += at * padding.dims[d].stride;
    }
    to[i] = inside ? from[source] : value;
  }
}

template <typename T>
__global__ void MirrorPadKernel(const T* from, T* to, int edge,
                                const __grid_constant__ Padding padding) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
       i < padding.elements; i += step) {
    int64_t rest = i, source = 0;
    for (int d = 0; d < padding.rank; ++d) {
      const int64_t n = padding.dims[d].in;
      int64_t at = TakeCoordinate(padding, d, &rest) - padding.dims[d].before;
      if (at < 0)
        at = edge - 1 - at;
      else if (at >= n)
        at = 2 * n - 1 - edge - at;
      source += at * padding.dims[d].stride;
    }
    to[i] = from[source];
  }
}

// The positions in a padded dimension that repeat one element, in ascending order.
struct Repeats {
  int64_t at[3];
  int32_t count, current;
};

// REQUIRES: no padding is longer than what it mirrors, so each side repeats an element once.
__device__ inline Repeats RepeatsOf(const Padding::Dim& dim, int64_t element, int edge) {
  Repeats repeats{};
  const int64_t out = dim.out.divisor();
  const int64_t left = dim.before + edge - 1 - element;
  const int64_t right = dim.before + 2 * dim.in - 1 - edge - element;
  if (element >= edge && left >= 0) repeats.at[repeats.count++] = left;
  repeats.at[repeats.count++] = dim.before + element;
  if (element <= dim.in - 1 - edge && right < out) repeats.at[repeats.count++] = right;
  return repeats;
}

// The steps of `padding` are those of the padded array.
template <typename T>
__global__ void MirrorPadGradKernel(const T* from, T* to, int64_t elements, int edge,
                                    const __grid_constant__ Padding padding) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < elements;
       i += step) {
    Repeats repeats[kMaxPadRank];
    int64_t rest = i, source = 0;
    for (int d = 0; d < padding.rank; ++d) {
      const Padding::Dim& dim = padding.dims[d];
      repeats[d] = RepeatsOf(dim, rest % dim.in, edge);
      rest /= dim.in;
      source += repeats[d].at[0] * dim.stride;
    }
    Wide<T> sum = Widen(from[source]);
    // Counts through the combinations, the innermost dimension first.
    for (int d = 0; d < padding.rank;) {
      Repeats& own = repeats[d];
      const int64_t stride = padding.dims[d].stride;
      source -= own.at[own.current] * stride;
      const bool more = ++own.current < own.count;
      if (!more) own.current = 0;
      source += own.at[own.current] * stride;
      if (more) sum += Widen(from[source]);
      d = more ? 0 : d + 1;
    }
    to[i] = Narrow<T>(sum);
  }
}

}  // namespace

int SimplifyPadding(PadDim* dims, int count) {
  int left = 0;
  for (int d = 0; d < count; ++d) {
    const PadDim dim = dims[d];
    if (left > 0 && dim.in == dim.out) {
      PadDim& outer = dims[left - 1];
      outer = {outer.in * dim.in, outer.before * dim.in, outer.out * dim.in};
    } else {
      dims[left++] = dim;
    }
  }
  return left;
}

cudaError_t LaunchPad(int element_size, const PadDim* dims, int count, const void* value,
                      const void* from, void* to, cudaStream_t stream) {
  // The innermost dimension in wider elements, which hold the value several times.
  PadDim wider[kMaxPadRank];
  for (int d = 0; d < count; ++d) wider[d] = dims[d];
  PadDim& inner = wider[count - 1];
  const int factor = WidestMove(element_size, from, to, inner.in | inner.before | inner.out);
  inner = {inner.in / factor, inner.before / factor, inner.out / factor};
  const Padding padding = PaddingOf(wider, count);
  const Span1D span = BlocksFor(padding.elements);
  return VisitBytes(element_size * factor, [&]<typename T>(Type<T>) {
    T filler;
    for (int i = 0; i < factor; ++i)
      std::memcpy(reinterpret_cast<char*>(&filler) + i * element_size, value,
                  static_cast<size_t>(element_size));
    return Launch(&PadKernel<T>, span.grid, span.block, 0, stream, static_cast<const T*>(from),
                  static_cast<T*>(to), filler, padding);
  });
}

cudaError_t LaunchMirrorPad(int element_size, const PadDim* dims, int count, bool reflect,
                            const void* from, void* to, cudaStream_t stream) {
  const Padding padding = PaddingOf(dims, count);
  const Span1D span = BlocksFor(padding.elements);
  return VisitBytes(element_size, [&]<typename T>(Type<T>) {
    return Launch(&MirrorPadKernel<T>, span.grid, span.block, 0, stream,
                  static_cast<const T*>(from), static_cast<T*>(to), reflect ? 1 : 0, padding);
  });
}

cudaError_t LaunchMirrorPadGrad(Element element, const PadDim* dims, int count, bool reflect,
                                const void* from, void* to, cudaStream_t stream) {
  Padding padding = PaddingOf(dims, count);
  int64_t elements = 1, stride = 1;
  for (int d = 0; d < count; ++d) {
    padding.dims[d].stride = stride;
    stride *= padding.dims[d].out.divisor();
    elements *= padding.dims[d].in;
  }
  const Span1D span = BlocksFor(elements);
  return Visit(FloatingElements{}, element, [&]<typename T>(Type<T>) {
    return Launch(&MirrorPadGradKernel<T>, span.grid, span.block, 0, stream,
                  static_cast<const T*>(from), static_cast<T*>(to), elements, reflect ? 1 : 0,
                  padding);
  });
}

}  // namespace sluice::cuda
