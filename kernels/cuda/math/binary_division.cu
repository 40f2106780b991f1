// SPDX-License-Identifier: Apache-2.0
// All kinds of division. Integers never trap: number.cuh defines division by zero.
#include "kernels/cuda/common/elementwise.cuh"
#include "kernels/cuda/common/number.cuh"

namespace sluice::cuda {
namespace {

using Floats = FloatingElements;
using WithInt64 = Joined<Floats, ElementList<Element::kInt64>>;
using WithComplex = Joined<Floats, ComplexElements>;
using SomeIntegers =
    ElementList<Element::kInt16, Element::kInt64, Element::kUInt8, Element::kUInt16>;

struct Div {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return Quotient(a, b);
  }
};
struct DivNoNan {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return b == T(0) ? T(0) : Quotient(a, b);
  }
};
struct Xdivy {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return a == T(0) ? T(0) : Quotient(a, b);
  }
};
// For half and bfloat16 the quotient is rounded before it is truncated: 2.9999 is 3 there.
struct FloorDiv {
  template <typename E, typename T>
  __device__ T operator()(Type<E>, T a, T b) const {
    const T quotient = Quotient(a, b);
    if constexpr (!std::is_integral_v<T>) {
      return std::floor(Widen(Narrow<E>(quotient)));
    } else {
      if (b == 0 || IsNegative(a) == IsNegative(b) || Product(quotient, b) == a) return quotient;
      return static_cast<T>(quotient - 1);
    }
  }
};
struct TruncateDiv {
  template <typename E, typename T>
  __device__ T operator()(Type<E>, T a, T b) const {
    const T quotient = Quotient(a, b);
    if constexpr (std::is_integral_v<T>) {
      return quotient;
    } else {
      return std::trunc(Widen(Narrow<E>(quotient)));
    }
  }
};
// The remainder takes the sign of the divisor.
struct FloorMod {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    const T r = Remainder(a, b);
    if (std::is_integral_v<T> && b == T(0)) return r;
    return r != T(0) && IsNegative(b) != IsNegative(r) ? Sum(r, b) : r;
  }
};
struct TruncateMod {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return Remainder(a, b);
  }
};

using Table =
    BinaryTable<BinaryRow<BinaryOp::kDiv, Div, Joined<WithComplex, SomeIntegers>>,
                BinaryRow<BinaryOp::kRealDiv, Div, WithComplex>,
                BinaryRow<BinaryOp::kFloorDiv, FloorDiv, Joined<Floats, SomeIntegers>>,
                BinaryRow<BinaryOp::kTruncateDiv, TruncateDiv, Joined<Floats, SomeIntegers>>,
                BinaryRow<BinaryOp::kFloorMod, FloorMod, WithInt64>,
                BinaryRow<BinaryOp::kTruncateMod, TruncateMod, WithInt64>,
                BinaryRow<BinaryOp::kDivNoNan, DivNoNan, WithComplex>,
                BinaryRow<BinaryOp::kXdivy, Xdivy, WithComplex>>;

}  // namespace

BinaryFamily BinaryDivision() { return Table::Family(); }

}  // namespace sluice::cuda
