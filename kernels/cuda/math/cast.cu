// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/math/cast.h"

#include <cstring>
#include <limits>

#include "kernels/cuda/common/each.cuh"

namespace sluice::cuda {
namespace {

// The results of x86, as on the CPU. NaN and values out of range give the minimum in 32 and 64
// bits; narrower types take the low bits of the 32-bit result.
template <typename To, typename From>
__device__ To ToInteger(From x) {
  if constexpr (std::is_same_v<To, int64_t>) {
    return x >= From(-0x1p63) && x < From(0x1p63) ? static_cast<int64_t>(x) : INT64_MIN;
  } else if constexpr (std::is_same_v<To, uint64_t>) {
    if (x >= From(0x1p63) && x < From(0x1p64))
      return static_cast<uint64_t>(ToInteger<int64_t>(x - From(0x1p63))) ^ (1ull << 63);
    return static_cast<uint64_t>(ToInteger<int64_t>(x));
  } else if constexpr (std::is_same_v<To, uint32_t>) {
    return static_cast<uint32_t>(ToInteger<int64_t>(x));
  } else {
    const bool fits = x >= From(-0x1p31) && x < From(0x1p31);
    return static_cast<To>(fits ? static_cast<int32_t>(x) : INT32_MIN);
  }
}

// Clears the bits of a float that To lacks.
template <typename To>
__device__ float Truncated(float x) {
  constexpr uint32_t kMask = std::is_same_v<To, __half> ? 0xffffe000u : 0xffff0000u;
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return x;  // NaN stays one
  bits &= kMask;
  memcpy(&x, &bits, sizeof bits);
  return x;
}

// From a type that is computed directly, so neither half nor bfloat16.
template <typename To, typename From>
__device__ To Convert(From x, bool truncate) {
  if constexpr (kIsComplex<From> && kIsComplex<To>) {
    using R = decltype(To::re);
    return To(static_cast<R>(x.re), static_cast<R>(x.im));
  } else if constexpr (kIsComplex<From>) {
    return Convert<To>(x.re, truncate);
  } else if constexpr (kIsComplex<To>) {
    return To(static_cast<decltype(To::re)>(x));
  } else if constexpr (std::is_same_v<To, bool>) {
    return x != From(0);
  } else if constexpr (kIsNarrow<To>) {
    const auto wide = static_cast<float>(x);
    return Narrow<To>(truncate ? Truncated<To>(wide) : wide);
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    return ToInteger<To>(x);
  } else {
    return static_cast<To>(x);
  }
}

template <typename From, typename To>
__global__ void CastKernel(const From* x, To* y, int64_t n, bool truncate) {
  Each(
      n, [=](int64_t i) { return x[i]; }, [=](From v) { return Convert<To>(Widen(v), truncate); },
      [=](int64_t i, To v) { y[i] = v; });
}

using AllElements = Joined<Joined<RealElements, ComplexElements>, ElementList<Element::kBool>>;

}  // namespace

cudaError_t LaunchCast(Element from, Element to, bool truncate, const void* x, void* y, int64_t n,
                       cudaStream_t stream) {
  return Visit(AllElements{}, from, [&]<typename From>(Type<From>) {
    return Visit(AllElements{}, to, [&]<typename To>(Type<To>) {
      const Span1D span = BlocksForEach(n);
      return Launch(&CastKernel<From, To>, span.grid, span.block, 0, stream,
                    static_cast<const From*>(x), static_cast<To*>(y), n, truncate);
    });
  });
}

}  // namespace sluice::cuda
