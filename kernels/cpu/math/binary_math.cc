// SPDX-License-Identifier: Apache-2.0
// Transcendental functions of two arguments, and powers.
#include "kernels/cpu/common/loops.h"
#include "kernels/cpu/common/vector_math.h"
#include "kernels/cpu/math/register.h"

namespace sluice::kernels {
namespace {

using WithComplex = Join<FloatingTypes, ComplexTypes>;

// Computed by repeated squaring; wraps.
// REQUIRES: exponent >= 0.
template <typename T>
T IntegerPower(T base, T exponent) {
  uint64_t result = 1, square = static_cast<uint64_t>(base);
  for (auto left = static_cast<std::make_unsigned_t<T>>(exponent); left != 0; left >>= 1) {
    if (left & 1) result *= square;
    square *= square;
  }
  return static_cast<T>(result);
}

constexpr auto kIntegers = [](auto base, auto exponent, bool& good) {
  if (exponent < 0) {
    good = false;
    return base;
  }
  return IntegerPower(base, exponent);
};

struct Power {
  template <typename T>
  requires(!std::is_integral_v<T>) T operator()(T a, T b) const {
    if constexpr (internal::kIsComplex<T>) {
      if (b == T(0)) return T(1);
    }
    return std::pow(a, b);
  }
  template <typename T>
  requires std::is_integral_v<T> T operator()(T a, T b, bool& good) const {
    return kIntegers(a, b, good);
  }
};

constexpr auto kTable = std::tuple{
    BinaryMath{"Pow", Join<WithComplex, SignedTypes>{}, Power{}, 10,
               "Integers to negative integer powers are not allowed"},
    BinaryMath{"Atan2", FloatingTypes{}, [](auto y, auto x) { return std::atan2(y, x); }},
    BinaryMath{"Xlogy", WithComplex{}, RoundsEachStep{[]<typename T>(T a, T b) {
                 return a == T(0) ? T(0) : a * std::log(b);
               }}},
    BinaryMath{"Xlog1py", WithComplex{}, RoundsEachStep{[]<typename T>(T a, T b) {
                 if constexpr (std::is_floating_point_v<T>) {
                   return a == T(0) ? T(0) : a * std::log1p(b);
                 } else {
                   return a == T(0) ? T(0) : a * std::log(T(1) + b);
                 }
               }}},
};

}  // namespace

void RegisterBinaryMath(KernelRegistry& kernels) { AddBinaryTable(kernels, kTable); }

}  // namespace sluice::kernels
