// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_COMMON_ELEMENT_H_
#define SLUICE_KERNELS_CUDA_COMMON_ELEMENT_H_

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

#include <cstdint>
#include <type_traits>

namespace sluice::cuda {

// The element type of an array on the GPU: core/tensor's DType, in units that nvcc compiles.
enum class Element : uint8_t {
  kFloat,
  kDouble,
  kHalf,
  kBFloat16,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kUInt8,
  kUInt16,
  kUInt32,
  kUInt64,
  kBool,
  kComplex64,
  kComplex128,
};

// A complex number, laid out as std::complex.
template <typename Real>
struct alignas(2 * sizeof(Real)) Complex {
  Real re;
  Real im;

  Complex() = default;
  __host__ __device__ constexpr Complex(Real real, Real imaginary = 0)  // NOLINT: as numbers do
      : re(real), im(imaginary) {}
  friend __host__ __device__ constexpr bool operator==(Complex a, Complex b) {
    return a.re == b.re && a.im == b.im;
  }
  friend __host__ __device__ constexpr Complex operator-(Complex a) { return {-a.re, -a.im}; }
  friend __host__ __device__ constexpr Complex operator+(Complex a, Complex b) {
    return {a.re + b.re, a.im + b.im};
  }
  friend __host__ __device__ constexpr Complex operator-(Complex a, Complex b) {
    return {a.re - b.re, a.im - b.im};
  }
  friend __host__ __device__ constexpr Complex operator*(Complex a, Complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
};

// The C++ type of an element.
template <Element>
struct TypeOfElement;
template <>
struct TypeOfElement<Element::kFloat> : std::type_identity<float> {};
template <>
struct TypeOfElement<Element::kDouble> : std::type_identity<double> {};
template <>
struct TypeOfElement<Element::kHalf> : std::type_identity<__half> {};
template <>
struct TypeOfElement<Element::kBFloat16> : std::type_identity<__nv_bfloat16> {};
template <>
struct TypeOfElement<Element::kInt8> : std::type_identity<int8_t> {};
template <>
struct TypeOfElement<Element::kInt16> : std::type_identity<int16_t> {};
template <>
struct TypeOfElement<Element::kInt32> : std::type_identity<int32_t> {};
template <>
struct TypeOfElement<Element::kInt64> : std::type_identity<int64_t> {};
template <>
struct TypeOfElement<Element::kUInt8> : std::type_identity<uint8_t> {};
template <>
struct TypeOfElement<Element::kUInt16> : std::type_identity<uint16_t> {};
template <>
struct TypeOfElement<Element::kUInt32> : std::type_identity<uint32_t> {};
template <>
struct TypeOfElement<Element::kUInt64> : std::type_identity<uint64_t> {};
template <>
struct TypeOfElement<Element::kBool> : std::type_identity<bool> {};
template <>
struct TypeOfElement<Element::kComplex64> : std::type_identity<Complex<float>> {};
template <>
struct TypeOfElement<Element::kComplex128> : std::type_identity<Complex<double>> {};
template <Element kElement>
using ElementType = typename TypeOfElement<kElement>::type;

template <typename T>
inline constexpr bool kIsNarrow = std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16>;
template <typename T>
inline constexpr bool kIsComplex =
    std::is_same_v<T, Complex<float>> || std::is_same_v<T, Complex<double>>;

// The type in which T is computed: float for half and bfloat16, else T itself.
template <typename T>
using Wide = std::conditional_t<kIsNarrow<T>, float, T>;

template <typename T>
__host__ __device__ inline Wide<T> Widen(T value) {
  if constexpr (std::is_same_v<T, __half>) {
    return __half2float(value);
  } else if constexpr (std::is_same_v<T, __nv_bfloat16>) {
    return __bfloat162float(value);
  } else {
    return value;
  }
}
// Rounds half to even.
template <typename T>
__host__ __device__ inline T Narrow(Wide<T> value) {
  if constexpr (std::is_same_v<T, __half>) {
    return __float2half_rn(value);
  } else if constexpr (std::is_same_v<T, __nv_bfloat16>) {
    return __float2bfloat16_rn(value);
  } else {
    return value;
  }
}

template <Element... kElements>
struct ElementList {};

template <typename A, typename B>
struct JoinElements;
template <Element... kA, Element... kB>
struct JoinElements<ElementList<kA...>, ElementList<kB...>>
    : std::type_identity<ElementList<kA..., kB...>> {};
template <typename A, typename B>
using Joined = typename JoinElements<A, B>::type;

using NarrowElements = ElementList<Element::kHalf, Element::kBFloat16>;
using FloatingElements =
    ElementList<Element::kFloat, Element::kDouble, Element::kHalf, Element::kBFloat16>;
using SignedElements =
    ElementList<Element::kInt8, Element::kInt16, Element::kInt32, Element::kInt64>;
using UnsignedElements =
    ElementList<Element::kUInt8, Element::kUInt16, Element::kUInt32, Element::kUInt64>;
using IntegerElements = Joined<SignedElements, UnsignedElements>;
using RealElements = Joined<FloatingElements, IntegerElements>;
using ComplexElements = ElementList<Element::kComplex64, Element::kComplex128>;
using IndexElements = ElementList<Element::kInt32, Element::kInt64>;

// The type of an element as a value: [&]<typename T>(Type<T>) { ... }.
template <typename T_>
struct Type {
  using T = T_;
};

// Calls fn(Type<T>{}) for the list's type that `element` names. fn returns cudaError_t; an element
// that is not in the list is cudaErrorInvalidValue.
template <Element... kElements, typename Fn>
cudaError_t Visit(ElementList<kElements...>, Element element, Fn&& fn) {
  cudaError_t error = cudaErrorInvalidValue;
  static_cast<void>(
      ((element == kElements && (error = fn(Type<ElementType<kElements>>{}), true)) || ...));
  return error;
}

// Bytes of an element.
inline int SizeOfElement(Element element) {
  switch (element) {
    case Element::kInt8:
    case Element::kUInt8:
    case Element::kBool:
      return 1;
    case Element::kHalf:
    case Element::kBFloat16:
    case Element::kInt16:
    case Element::kUInt16:
      return 2;
    case Element::kFloat:
    case Element::kInt32:
    case Element::kUInt32:
      return 4;
    case Element::kDouble:
    case Element::kInt64:
    case Element::kUInt64:
    case Element::kComplex64:
      return 8;
    case Element::kComplex128:
      return 16;
  }
  return 0;
}

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_COMMON_ELEMENT_H_
