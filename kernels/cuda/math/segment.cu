// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/math/segment.h"

#include <cstring>
#include <limits>

#include "core/device/cuda_launch.h"
#include "kernels/cuda/common/number.cuh"
#include "kernels/cuda/math/cast.h"

namespace sluice::cuda {
namespace {

// Replaces *at by combine(*at, value) in one step. The first read is volatile: a plain one may find
// an older number in the cache, and a number that seems to be large enough would end the loop.
template <typename W, typename Combine>
__device__ void AtomicCombine(W* at, W value, Combine combine) {
  using Word = std::conditional_t<sizeof(W) == 4, unsigned, unsigned long long>;
  auto* word = reinterpret_cast<Word*>(at);
  Word seen = *static_cast<volatile Word*>(word);
  for (;;) {
    W old;
    memcpy(&old, &seen, sizeof old);
    const W made = combine(old, value);
    Word next;
    memcpy(&next, &made, sizeof next);
    if (next == seen) return;
    const Word found = atomicCAS(word, seen, next);
    if (found == seen) return;
    seen = found;
  }
}

struct SumRows {
  template <typename W>
  static __device__ void Into(W* at, W value) {
    if constexpr (kIsComplex<W>) {
      atomicAdd(&at->re, value.re);
      atomicAdd(&at->im, value.im);
    } else {
      atomicAdd(at, value);
    }
  }
};
struct MultiplyRows {
  template <typename W>
  static __device__ void Into(W* at, W value) {
    AtomicCombine(at, value, [](W a, W b) { return Product(a, b); });
  }
};
struct MaxRows {
  template <typename W>
  static __device__ void Into(W* at, W value) {
    AtomicCombine(at, value, [](W a, W b) { return b > a ? b : a; });
  }
};
struct MinRows {
  template <typename W>
  static __device__ void Into(W* at, W value) {
    AtomicCombine(at, value, [](W a, W b) { return b < a ? b : a; });
  }
};

template <typename W>
__global__ void FillKernel(W value, W* to, int64_t n) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)
    to[i] = value;
}

template <typename Op, typename T, typename Index>
__global__ void UnsortedSegmentKernel(SegmentSizes sizes, const T* data, const Index* ids,
                                      Wide<T>* sums) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  const int64_t n = sizes.rows * sizes.inner;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const int64_t row = i / sizes.inner;
    const auto id = static_cast<int64_t>(ids[row]);
    if (id < 0 || id >= sizes.segments) continue;
    Op::Into(sums + id * sizes.inner + (i - row * sizes.inner), Widen(data[i]));
  }
}

// The first row whose id is at least `id`.
template <typename Index>
__device__ int64_t LowerBound(const Index* ids, int64_t rows, int64_t id) {
  int64_t first = 0;
  for (int64_t count = rows; count > 0;) {
    const int64_t half = count / 2;
    if (static_cast<int64_t>(ids[first + half]) < id) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return first;
}

template <typename T, typename Index>
__global__ void SegmentSumKernel(SegmentSizes sizes, const T* data, const Index* ids, T* out) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  const int64_t n = sizes.segments * sizes.inner;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const int64_t segment = i / sizes.inner, column = i - segment * sizes.inner;
    const int64_t end = LowerBound(ids, sizes.rows, segment + 1);
    Wide<T> sum = 0;
    for (int64_t row = LowerBound(ids, sizes.rows, segment); row < end; ++row)
      sum += Widen(data[row * sizes.inner + column]);
    out[i] = Narrow<T>(sum);
  }
}

// The value of a segment without rows.
template <typename T>
Wide<T> EmptyValue(SegmentOp op) {
  using W = Wide<T>;
  if (op == SegmentOp::kSum) return W(0);
  if (op == SegmentOp::kProd) return W(1);
  if constexpr (std::is_same_v<T, __half>) {
    return op == SegmentOp::kMax ? -65504.f : 65504.f;
  } else if constexpr (std::is_same_v<T, __nv_bfloat16>) {
    return op == SegmentOp::kMax ? -3.38953139e38f : 3.38953139e38f;
  } else if constexpr (!kIsComplex<T>) {
    return op == SegmentOp::kMax ? std::numeric_limits<W>::lowest() : std::numeric_limits<W>::max();
  } else {
    return W(0);
  }
}

struct UnsortedCall {
  SegmentOp op;
  Element element, index;
  const SegmentSizes& sizes;
  const void* data;
  const void* ids;
  void* out;
  void* workspace;
  cudaStream_t stream;
};

template <typename Op, typename T>
cudaError_t Combine(const UnsortedCall& call) {
  using W = Wide<T>;
  auto* sums = static_cast<W*>(kIsNarrow<T> ? call.workspace : call.out);
  const SegmentSizes& sizes = call.sizes;
  const int64_t results = sizes.segments * sizes.inner;
  const Span1D fill = BlocksFor(results);
  cudaError_t error = Launch(&FillKernel<W>, fill.grid, fill.block, 0, call.stream,
                             EmptyValue<T>(call.op), sums, results);
  if (error != cudaSuccess) return error;
  error = Visit(IndexElements{}, call.index, [&]<typename Index>(Type<Index>) {
    const Span1D span = BlocksFor(sizes.rows * sizes.inner);
    return Launch(&UnsortedSegmentKernel<Op, T, Index>, span.grid, span.block, 0, call.stream,
                  sizes, static_cast<const T*>(call.data), static_cast<const Index*>(call.ids),
                  sums);
  });
  if (error != cudaSuccess || !kIsNarrow<T>) return error;
  return LaunchCast(Element::kFloat, call.element, false, sums, call.out, results, call.stream);
}

using Ordered = Joined<FloatingElements, ElementList<Element::kInt32>>;

template <typename Op, typename Elements>
cudaError_t CombineAs(Elements elements, const UnsortedCall& call) {
  return Visit(elements, call.element, [&]<typename T>(Type<T>) { return Combine<Op, T>(call); });
}

}  // namespace

size_t UnsortedSegmentWorkspace(Element element, const SegmentSizes& sizes) {
  const bool narrow = element == Element::kHalf || element == Element::kBFloat16;
  return narrow ? static_cast<size_t>(sizes.segments * sizes.inner) * sizeof(float) : 0;
}

cudaError_t LaunchUnsortedSegment(SegmentOp op, Element element, Element index,
                                  const SegmentSizes& sizes, const void* data, const void* ids,
                                  void* out, void* workspace, cudaStream_t stream) {
  const UnsortedCall call{op, element, index, sizes, data, ids, out, workspace, stream};
  switch (op) {
    case SegmentOp::kSum:
      return CombineAs<SumRows>(Joined<Ordered, ComplexElements>{}, call);
    case SegmentOp::kProd:
      return CombineAs<MultiplyRows>(Ordered{}, call);
    case SegmentOp::kMax:
      return CombineAs<MaxRows>(Ordered{}, call);
    case SegmentOp::kMin:
      return CombineAs<MinRows>(Ordered{}, call);
  }
  return cudaErrorInvalidValue;
}

cudaError_t LaunchSegmentSum(Element element, Element index, const SegmentSizes& sizes,
                             const void* data, const void* ids, void* out, cudaStream_t stream) {
  return Visit(FloatingElements{}, element, [&]<typename T>(Type<T>) {
    return Visit(IndexElements{}, index, [&]<typename Index>(Type<Index>) {
      const Span1D span = BlocksFor(sizes.segments * sizes.inner);
      return Launch(&SegmentSumKernel<T, Index>, span.grid, span.block, 0, stream, sizes,
                    static_cast<const T*>(data), static_cast<const Index*>(ids),
                    static_cast<T*>(out));
    });
  });
}

}  // namespace sluice::cuda
