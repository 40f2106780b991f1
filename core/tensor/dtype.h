// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_TENSOR_DTYPE_H_
#define SLUICE_CORE_TENSOR_DTYPE_H_

#include <bit>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>

#include "absl/strings/string_view.h"
#include "core/status.h"
#include "core/tensor/float16.h"

namespace sluice {

// Element types; the numbers are TensorFlow's (spec: wire schema, DataType). A reference type is
// the base + 100.
enum class DType : int32_t {
  kInvalid = 0,
  kFloat = 1,
  kDouble = 2,
  kInt32 = 3,
  kUint8 = 4,
  kInt16 = 5,
  kInt8 = 6,
  kString = 7,
  kComplex64 = 8,
  kInt64 = 9,
  kBool = 10,
  kQint8 = 11,
  kQuint8 = 12,
  kQint32 = 13,
  kBfloat16 = 14,
  kQint16 = 15,
  kQuint16 = 16,
  kUint16 = 17,
  kComplex128 = 18,
  kHalf = 19,
  kResource = 20,
  kVariant = 21,
  kUint32 = 22,
  kUint64 = 23,
};
using enum DType;

constexpr int kRefOffset = 100;
constexpr bool IsRef(DType t) { return static_cast<int>(t) > kRefOffset; }
constexpr DType MakeRef(DType t) {
  return IsRef(t) ? t : static_cast<DType>(static_cast<int>(t) + kRefOffset);
}
constexpr DType RemoveRef(DType t) {
  return IsRef(t) ? static_cast<DType>(static_cast<int>(t) - kRefOffset) : t;
}

// True for the value types above, false for kInvalid, references and unknown numbers.
constexpr bool IsKnown(DType t) { return static_cast<int>(t) >= 1 && static_cast<int>(t) <= 23; }

// The name that TensorFlow uses in op interfaces ("float", "int32", "half", "float_ref"); "dtype
// 999" if unknown.
std::string Name(DType t);
// Parses such a name, and the Python spellings (float32, float64, float16); kInvalid if unknown.
DType ParseDType(absl::string_view name);

// Bytes of one element in memory and on the wire; 0 for string, resource, variant.
size_t SizeOf(DType t);
// True if elements can be moved by memcpy.
constexpr bool IsPlain(DType t) {
  return IsKnown(t) && t != kString && t != kResource && t != kVariant;
}

// A set of dtypes, for registration of kernels.
class DTypeSet {
 public:
  constexpr DTypeSet() = default;
  constexpr DTypeSet(DType t) : bits_(Bit(t)) {}  // NOLINT: a set of one
  constexpr DTypeSet(std::initializer_list<DType> types) {
    for (DType t : types) bits_ |= Bit(t);
  }
  constexpr bool contains(DType t) const { return IsKnown(t) && (bits_ & Bit(t)) != 0; }
  constexpr DTypeSet operator|(DTypeSet other) const {
    other.bits_ |= bits_;
    return other;
  }
  constexpr DTypeSet Without(DTypeSet other) const {
    DTypeSet s = *this;
    s.bits_ &= ~other.bits_;
    return s;
  }
  constexpr uint32_t bits() const { return bits_; }
  static constexpr DTypeSet FromBits(uint32_t bits) {
    DTypeSet s;
    s.bits_ = bits;
    return s;
  }
  std::string ToString() const;  // "{float, double}"

 private:
  static constexpr uint32_t Bit(DType t) { return 1u << static_cast<int>(t); }
  uint32_t bits_ = 0;
};

inline constexpr DTypeSet kFloating{kHalf, kBfloat16, kFloat, kDouble};
inline constexpr DTypeSet kComplex{kComplex64, kComplex128};
inline constexpr DTypeSet kSigned{kInt8, kInt16, kInt32, kInt64};
inline constexpr DTypeSet kUnsigned{kUint8, kUint16, kUint32, kUint64};
inline constexpr DTypeSet kInteger = kSigned | kUnsigned;
inline constexpr DTypeSet kReal =
    kFloating | kInteger;  // TensorFlow's realnumbertype, which includes unsigned types
inline constexpr DTypeSet kNumeric = kReal | kComplex;
inline constexpr DTypeSet kQuantized{kQint8, kQuint8, kQint16, kQuint16, kQint32};
inline constexpr DTypeSet kIndex{kInt32, kInt64};
inline constexpr DTypeSet kPlain = kNumeric | kQuantized | DTypeSet{kBool};
inline constexpr DTypeSet kAnyType = kPlain | DTypeSet{kString, kResource, kVariant};

// Quantised elements: only storage.
struct Qint8 {
  int8_t value;
  bool operator==(const Qint8&) const = default;
};
struct Quint8 {
  uint8_t value;
  bool operator==(const Quint8&) const = default;
};
struct Qint16 {
  int16_t value;
  bool operator==(const Qint16&) const = default;
};
struct Quint16 {
  uint16_t value;
  bool operator==(const Quint16&) const = default;
};
struct Qint32 {
  int32_t value;
  bool operator==(const Qint32&) const = default;
};

struct ResourceHandle;
class Variant;
using Complex64 = std::complex<float>;
using Complex128 = std::complex<double>;

// The element type as a value, for visitors: Visit(..., [](auto type) { using T = typename
// decltype(type)::T; ... }).
template <typename Element>
struct Type {
  using T = Element;
};
template <typename... Ts>
struct TypeList {};

template <typename A, typename B>
struct JoinTypes;
template <typename... A, typename... B>
struct JoinTypes<TypeList<A...>, TypeList<B...>> {
  using type = TypeList<A..., B...>;
};
template <typename A, typename B>
using Join = typename JoinTypes<A, B>::type;

using FloatingTypes = TypeList<float, double, Half, Bfloat16>;
using ComplexTypes = TypeList<Complex64, Complex128>;
using SignedTypes = TypeList<int32_t, int64_t, int8_t, int16_t>;
using UnsignedTypes = TypeList<uint8_t, uint16_t, uint32_t, uint64_t>;
using IntegerTypes = Join<SignedTypes, UnsignedTypes>;
using RealTypes = Join<FloatingTypes, IntegerTypes>;
using NumericTypes = Join<RealTypes, ComplexTypes>;
using IndexTypes = TypeList<int32_t, int64_t>;

template <typename T>
inline constexpr DType kDTypeOf = kInvalid;
template <>
inline constexpr DType kDTypeOf<float> = kFloat;
template <>
inline constexpr DType kDTypeOf<double> = kDouble;
template <>
inline constexpr DType kDTypeOf<int32_t> = kInt32;
template <>
inline constexpr DType kDTypeOf<uint8_t> = kUint8;
template <>
inline constexpr DType kDTypeOf<int16_t> = kInt16;
template <>
inline constexpr DType kDTypeOf<int8_t> = kInt8;
template <>
inline constexpr DType kDTypeOf<std::string> = kString;
template <>
inline constexpr DType kDTypeOf<Complex64> = kComplex64;
template <>
inline constexpr DType kDTypeOf<int64_t> = kInt64;
template <>
inline constexpr DType kDTypeOf<bool> = kBool;
template <>
inline constexpr DType kDTypeOf<Qint8> = kQint8;
template <>
inline constexpr DType kDTypeOf<Quint8> = kQuint8;
template <>
inline constexpr DType kDTypeOf<Qint32> = kQint32;
template <>
inline constexpr DType kDTypeOf<Bfloat16> = kBfloat16;
template <>
inline constexpr DType kDTypeOf<Qint16> = kQint16;
template <>
inline constexpr DType kDTypeOf<Quint16> = kQuint16;
template <>
inline constexpr DType kDTypeOf<uint16_t> = kUint16;
template <>
inline constexpr DType kDTypeOf<Complex128> = kComplex128;
template <>
inline constexpr DType kDTypeOf<Half> = kHalf;
template <>
inline constexpr DType kDTypeOf<ResourceHandle> = kResource;
template <>
inline constexpr DType kDTypeOf<Variant> = kVariant;
template <>
inline constexpr DType kDTypeOf<uint32_t> = kUint32;
template <>
inline constexpr DType kDTypeOf<uint64_t> = kUint64;

template <typename... Ts>
constexpr DTypeSet SetOf(TypeList<Ts...>) {
  return DTypeSet{kDTypeOf<Ts>...};
}

// Calls fn(Type<T>{}) for the list's type that `dtype` names; fn returns absl::Status. A dtype
// outside the list is UNIMPLEMENTED by name.
//   return VisitDType(RealTypes{}, a.dtype(), [&]<typename T>(Type<T>) { return Compute<T>(a, out);
//   });
template <typename... Ts, typename Fn>
absl::Status VisitDType(TypeList<Ts...>, DType dtype, Fn&& fn) {
  absl::Status status;
  const bool found = ((dtype == kDTypeOf<Ts> && (status = fn(Type<Ts>{}), true)) || ...);
  return found ? status : Unimplemented("no kernel code for dtype ", dtype);
}

// Moves by width, for ops that do not read values: plain types visit uint8/16/32/64 or Complex128
// (16 bytes).
template <typename Fn>
absl::Status VisitWidth(DType dtype, Fn&& fn) {
  switch (SizeOf(dtype)) {
    case 1:
      return fn(Type<uint8_t>{});
    case 2:
      return fn(Type<uint16_t>{});
    case 4:
      return fn(Type<uint32_t>{});
    case 8:
      return fn(Type<uint64_t>{});
    case 16:
      return fn(Type<Complex128>{});
    default:
      break;
  }
  if (dtype == kString) return fn(Type<std::string>{});
  return VisitDType(TypeList<ResourceHandle, Variant>{}, dtype, fn);
}

}  // namespace sluice

#endif  // SLUICE_CORE_TENSOR_DTYPE_H_
