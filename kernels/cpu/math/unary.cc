// SPDX-License-Identifier: Apache-2.0
// Cheap functions of one argument: signs, roots, rounding, tests, parts of complex numbers.
#include "kernels/cpu/common/loops.h"
#include "kernels/cpu/common/vector_math.h"
#include "kernels/cpu/math/register.h"

namespace sluice::kernels {
namespace {

using Float = FloatingTypes;
using WithComplex = Join<FloatingTypes, ComplexTypes>;
// Signed integers use these loops too: their arithmetic wraps.
using Wrapping = Join<WithComplex, UnsignedTypes>;

struct Sign {
  template <typename T>
  T operator()(T x) const {
    if constexpr (internal::kIsComplex<T>)
      return x == T(0) ? T(0) : x / std::abs(x);
    else
      return static_cast<T>((x > T(0)) - (x < T(0)));
  }
};

// Half and bfloat16 have their sign in the same bit.
constexpr uint16_t kSignBit = 0x8000;

struct Neg {
  template <typename T>
  T operator()(T x) const {
    return static_cast<T>(-x);
  }
  static uint16_t OfBits(uint16_t x) { return x ^ kSignBit; }
};

struct Abs {
  static uint16_t OfBits(uint16_t x) { return x & (kSignBit - 1); }
  template <typename T>
  T operator()(T x) const {
    if constexpr (std::is_floating_point_v<T>) {
      return std::abs(x);
    } else {
      using U = std::make_unsigned_t<T>;
      return static_cast<T>(x < 0 ? U(0) - static_cast<U>(x) : static_cast<U>(x));
    }
  }
};

struct Round {
  template <typename T>
  T operator()(T x) const {
    if constexpr (std::is_floating_point_v<T>)
      return std::nearbyint(x);  // half to even
    else
      return x;
  }
};

constexpr auto kArithmetic = std::tuple{
    Unary{"Sqrt", WithComplex{}, [](auto x) { return std::sqrt(x); }, 0.3},
    Unary{"Rsqrt", WithComplex{}, RoundsEachStep{[]<typename T>(T x) {
            using S = OneStepForBfloat16<T>;
            return S(1) / std::sqrt(S(x));
          }},
          1.0},
    Unary{"Inv", WithComplex{}, []<typename T>(T x) { return T(1) / x; }},
    Unary{"Reciprocal", WithComplex{}, []<typename T>(T x) { return T(1) / x; }},
    Unary{"Abs", Join<Float, SignedTypes>{}, Abs{}},
    Unary{"Sign", Join<WithComplex, SignedTypes>{}, Sign{}},
    Unary{"Ceil", Float{}, [](auto x) { return std::ceil(x); }},
    Unary{"Floor", Float{}, [](auto x) { return std::floor(x); }},
    Unary{"Rint", Float{}, [](auto x) { return std::nearbyint(x); }},
    Unary{"Round", Join<Float, SignedTypes>{}, Round{}},
};

constexpr auto kWrapping = std::tuple{
    Unary{"Neg", Wrapping{}, Neg{}},
    Unary{"Square", Wrapping{}, []<typename T>(T x) -> T { return static_cast<T>(x * x); }},
    Unary{"Invert", UnsignedTypes{}, []<typename T>(T x) -> T { return static_cast<T>(~x); }},
};

constexpr auto kTests = std::tuple{
    Unary{"IsNan", Float{}, [](auto x) { return x != x; }},
    Unary{"IsInf", Float{},
          []<typename T>(T x) { return std::abs(x) == std::numeric_limits<T>::infinity(); }},
    Unary{"IsFinite", Float{},
          []<typename T>(T x) { return std::abs(x) < std::numeric_limits<T>::infinity(); }},
    Unary{"LogicalNot", TypeList<bool>{}, [](bool x) { return !x; }},
};

constexpr auto kOfComplex = std::tuple{
    Unary{"Conj", ComplexTypes{}, [](auto x) { return std::conj(x); }},
    Unary{"Real", ComplexTypes{}, [](auto x) { return x.real(); }},
    Unary{"Imag", ComplexTypes{}, [](auto x) { return x.imag(); }},
    Unary{"Angle", ComplexTypes{}, [](auto x) { return std::arg(x); }, 10},
    Unary{"ComplexAbs", ComplexTypes{}, [](auto x) { return std::abs(x); }, 3},
};

}  // namespace

void RegisterUnary(KernelRegistry& kernels) {
  AddUnaryTable(kernels, kArithmetic);
  AddUnaryTable(kernels, kWrapping, kSigned);
  AddUnaryTable(kernels, kTests);
  AddUnaryTable(kernels, kOfComplex);
}

}  // namespace sluice::kernels
