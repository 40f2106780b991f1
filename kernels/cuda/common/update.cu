// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "core/device/cuda_launch.h"
#include "kernels/cuda/common/indices.cuh"
#include "kernels/cuda/common/layout.h"
#include "kernels/cuda/common/number.cuh"
#include "kernels/cuda/common/rows.h"

namespace sluice::cuda {
namespace {

template <typename T>
__device__ inline T Met(Meeting how, T there, T value) {
  const Wide<T> a = Widen(there), b = Widen(value);
  switch (how) {
    case Meeting::kSub:
      return Narrow<T>(Difference(a, b));
    case Meeting::kMul:
      return Narrow<T>(Product(a, b));
    case Meeting::kDiv:
      return Narrow<T>(Quotient(a, b));
    case Meeting::kMin:
      return b < a ? value : there;
    case Meeting::kMax:
      return a < b ? value : there;
    default:
      return Narrow<T>(Sum(a, b));
  }
}

// The word in which an element is exchanged. No GPU exchanges a single byte.
template <typename T>
using Word = std::conditional_t<sizeof(T) == 8, unsigned long long,
                                std::conditional_t<sizeof(T) == 4, unsigned, unsigned short>>;

// *to meets value, as one step.
template <typename T>
__device__ inline void MeetAtomically(Meeting how, T* to, T value) {
  const auto address = reinterpret_cast<uintptr_t>(to);
  // An element of one byte shares its word with a neighbour, or with the byte behind an odd number
  // of elements: buffers are whole words.
  auto* const word = reinterpret_cast<Word<T>*>(address - address % sizeof(Word<T>));
  const int shift = static_cast<int>(address % sizeof(Word<T>)) * 8;
  Word<T> seen = *word, wanted = seen, before = seen;
  do {
    before = seen;
    const auto part = static_cast<Word<T>>(before >> shift);
    T there;
    memcpy(static_cast<void*>(&there), &part, sizeof(T));
    const T met = Met(how, there, value);
    Word<T> bits = 0;
    memcpy(&bits, static_cast<const void*>(&met), sizeof(T));
    if constexpr (sizeof(T) == 1) {
      wanted = static_cast<Word<T>>((before & ~(0xff << shift)) | (bits << shift));
    } else {
      wanted = bits;
    }
    seen = atomicCAS(word, before, wanted);
  } while (seen != before);
}

template <typename T>
__device__ inline void Meet(Meeting how, T* to, T value) {
  if constexpr (kIsComplex<T>) {
    const auto sign = how == Meeting::kSub ? -1 : 1;
    atomicAdd(&to->re, sign * value.re);
    atomicAdd(&to->im, sign * value.im);
  } else if constexpr (std::is_floating_point_v<T>) {
    if (how == Meeting::kAdd || how == Meeting::kSub)
      atomicAdd(to, how == Meeting::kSub ? -value : value);
    else
      MeetAtomically(how, to, value);
  } else {
    MeetAtomically(how, to, value);
  }
}

template <typename T>
__global__ void UpdateSlicesKernel(Meeting how, T* to,
                                   const __grid_constant__ SlicePositions positions, Divisor inner,
                                   const T* updates, bool scalar, int64_t n) {
  const bool small = n <= INT32_MAX;
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const int64_t row = small ? inner.DivideSmall(static_cast<uint32_t>(i)) : i / inner.divisor();
    const int64_t slice = SliceAt(positions, row);
    if (slice < 0) continue;
    const int64_t column = i - row * inner.divisor();
    Meet(how, to + slice * inner.divisor() + column, updates[scalar ? 0 : i]);
  }
}

template <typename T>
__global__ void UpdateKernel(bool subtract, T* to, const T* value, int64_t n) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const Wide<T> a = Widen(to[i]), b = Widen(value[i]);
    to[i] = Narrow<T>(subtract ? Difference(a, b) : Sum(a, b));
  }
}

}  // namespace

cudaError_t LaunchUpdateSlices(Element element, Meeting how, void* to,
                               const SlicePositions& positions, int64_t inner, const void* updates,
                               bool scalar, cudaStream_t stream) {
  const int64_t n = positions.count * inner;
  if (n == 0) return cudaSuccess;
  const Span1D span = BlocksFor(n);
  const auto launch = [&]<typename T>(Type<T>) {
    return Launch(&UpdateSlicesKernel<T>, span.grid, span.block, 0, stream, how,
                  static_cast<T*>(to), positions, Divisor(inner), static_cast<const T*>(updates),
                  scalar, n);
  };
  if (how == Meeting::kAdd || how == Meeting::kSub)
    return Visit(Joined<RealElements, ComplexElements>{}, element, launch);
  return Visit(RealElements{}, element, launch);
}

cudaError_t LaunchUpdate(Element element, Meeting how, void* to, const void* value, int64_t n,
                         cudaStream_t stream) {
  if (how != Meeting::kAdd && how != Meeting::kSub) return cudaErrorInvalidValue;
  if (n == 0) return cudaSuccess;
  const Span1D span = BlocksFor(n);
  return Visit(Joined<RealElements, ComplexElements>{}, element, [&]<typename T>(Type<T>) {
    return Launch(&UpdateKernel<T>, span.grid, span.block, 0, stream, how == Meeting::kSub,
                  static_cast<T*>(to), static_cast<const T*>(value), n);
  });
}

}  // namespace sluice::cuda
