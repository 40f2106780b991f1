// SPDX-License-Identifier: Apache-2.0
// Arithmetic on two operands, for all numeric types.
#include "kernels/cpu/common/loops.h"
#include "kernels/cpu/math/register.h"

namespace sluice::kernels {
namespace {

using WithComplex = Join<FloatingTypes, ComplexTypes>;
using FloatAndSigned = Join<FloatingTypes, SignedTypes>;
// Signed integers use the loops of the unsigned ones: arithmetic wraps.
using Wrapping = Join<WithComplex, UnsignedTypes>;
constexpr const char* kDivisionByZero = "Integer division by zero";

// std::complex handles infinities, which costs a call for each product.
template <typename T>
T Multiply(T a, T b) {
  if constexpr (internal::kIsComplex<T>) {
    return T(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
  } else {
    // Unsigned types narrower than int are promoted to int, where 65535 * 65535 overflows.
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
    else
      return a * b;
  }
}

constexpr auto kAdd = []<typename T>(const T& a, const T& b) -> T { return static_cast<T>(a + b); };
constexpr auto kSub = []<typename T>(T a, T b) -> T { return static_cast<T>(a - b); };
constexpr auto kMul = []<typename T>(T a, T b) -> T { return Multiply(a, b); };
// If the comparison is undefined, the first operand wins: NaN with 1 is NaN, 1 with NaN is 1.
constexpr auto kMaximum = []<typename T>(T a, T b) { return a < b ? b : a; };
constexpr auto kMinimum = []<typename T>(T a, T b) { return b < a ? b : a; };

using AddTypes = Join<Wrapping, TypeList<std::string>>;

constexpr auto kWrappingTable = std::tuple{
    Binary{"Add", AddTypes{}, kAdd},
    Binary{"AddV2", Wrapping{}, kAdd},
    Binary{"Sub", Wrapping{}, kSub},
    Binary{"Mul", Wrapping{}, kMul},
};

struct SquaredDifference {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (internal::kIsComplex<T>) {
      return T(std::norm(a - b));
    } else if constexpr (std::is_integral_v<T>) {
      const auto d =
          static_cast<std::make_unsigned_t<T>>(a) - static_cast<std::make_unsigned_t<T>>(b);
      return static_cast<T>(d * d);
    } else {
      return (a - b) * (a - b);
    }
  }
};

constexpr auto kTable = std::tuple{
    Binary{"Maximum", RealTypes{}, kMaximum},
    Binary{"Minimum", RealTypes{}, kMinimum},
    Binary{"RealDiv", WithComplex{}, [](auto a, auto b) { return a / b; }},
    Binary{"SquaredDifference", Join<WithComplex, TypeList<int32_t, int64_t>>{},
           RoundsEachStep{SquaredDifference{}}},
    Binary{"DivNoNan", WithComplex{},
           []<typename T>(T a, T b) { return b == T(0) ? T(0) : a / b; }},
    Binary{"MulNoNan", WithComplex{},
           []<typename T>(T a, T b) { return b == T(0) ? T(0) : a * b; }},
    Binary{"Xdivy", WithComplex{}, []<typename T>(T a, T b) { return a == T(0) ? T(0) : a / b; }},
    Binary{"Complex", TypeList<float, double>{},
           []<typename T>(T re, T im) { return std::complex<T>(re, im); }},
};

// Division that truncates. The only quotient out of range, minimum / -1, wraps to the minimum.
template <typename T>
T Quotient(T a, T b, bool& good) {
  if constexpr (std::is_integral_v<T>) {
    if (b == 0) {
      good = false;
      return 0;
    }
    if constexpr (std::is_signed_v<T>) {
      if (b == T(-1)) return static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(a));
    }
  }
  return static_cast<T>(a / b);
}

template <typename T>
T Remainder(T a, T b, bool& good) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::fmod(a, b);
  } else {
    if (b == 0) {
      good = false;
      return 0;
    }
    if constexpr (std::is_signed_v<T>) {
      if (b == T(-1)) return 0;
    }
    return static_cast<T>(a % b);
  }
}

struct FloorQuotient {
  template <typename T>
  T operator()(T a, T b, bool& good) const {
    if constexpr (!std::is_integral_v<T>) {
      return std::floor(a / b);
    } else {
      const T quotient = Quotient(a, b, good);
      if (!good || (a < T(0)) == (b < T(0)) || quotient * b == a) return quotient;
      return static_cast<T>(quotient - 1);
    }
  }
};

struct TruncatedQuotient {
  template <typename T>
  T operator()(T a, T b, bool& good) const {
    if constexpr (!std::is_integral_v<T>) {
      return std::trunc(a / b);
    } else {
      return Quotient(a, b, good);
    }
  }
};

// The remainder takes the sign of the divisor.
struct FloorRemainder {
  template <typename T>
  T operator()(T a, T b, bool& good) const {
    const T r = Remainder(a, b, good);
    return r != T(0) && (b < T(0)) != (r < T(0)) ? static_cast<T>(r + b) : r;
  }
};

constexpr auto kDivisions = std::tuple{
    Binary{"Div", Join<RealTypes, ComplexTypes>{},
           [](auto a, auto b, bool& good) { return Quotient(a, b, good); }, 2, kDivisionByZero},
    Binary{"FloorDiv", RealTypes{}, RoundsEachStep{FloorQuotient{}}, 3, kDivisionByZero},
    Binary{"FloorMod", RealTypes{}, FloorRemainder{}, 4, kDivisionByZero},
    Binary{"Mod", RealTypes{}, [](auto a, auto b, bool& good) { return Remainder(a, b, good); }, 4,
           kDivisionByZero},
};

// For a zero divisor, these two fail with INTERNAL, as TensorFlow's do.
constexpr auto kTruncating = std::tuple{
    Binary{"TruncateDiv", RealTypes{}, RoundsEachStep{TruncatedQuotient{}}, 3, kDivisionByZero},
    Binary{"TruncateMod", RealTypes{},
           [](auto a, auto b, bool& good) { return Remainder(a, b, good); }, 4, kDivisionByZero},
};

// Shift counts below zero or above the width are clamped.
template <typename T>
int ShiftBy(T n) {
  constexpr int kMost = 8 * sizeof(T) - 1;
  return n < T(0) ? 0 : n > T(kMost) ? kMost : static_cast<int>(n);
}

constexpr auto kBitwise = std::tuple{
    Binary{"BitwiseAnd", UnsignedTypes{}, []<typename T>(T a, T b) -> T { return a & b; }},
    Binary{"BitwiseOr", UnsignedTypes{}, []<typename T>(T a, T b) -> T { return a | b; }},
    Binary{"BitwiseXor", UnsignedTypes{}, []<typename T>(T a, T b) -> T { return a ^ b; }},
};
constexpr auto kShifts = std::tuple{
    Binary{"LeftShift", IntegerTypes{},
           []<typename T>(T a, T n) -> T {
             return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) << ShiftBy(n));
           }},
    Binary{"RightShift", IntegerTypes{},
           []<typename T>(T a, T n) -> T { return static_cast<T>(a >> ShiftBy(n)); }},
};
constexpr auto kLogical = std::tuple{
    Binary{"LogicalAnd", TypeList<bool>{}, [](bool a, bool b) -> bool { return a & b; }},
    Binary{"LogicalOr", TypeList<bool>{}, [](bool a, bool b) -> bool { return a | b; }},
};

template <typename Fn, typename Types>
BinaryLoop LoopFor(DType dtype, Fn fn, Types types, bool share_signed) {
  static const BinaryOp op = [&] {
    BinaryOp made = MakeBinaryOp(Binary{"", types, fn});
    if (share_signed) internal::ShareSigned(made.loops, kSigned);
    return made;
  }();
  return op.loops[static_cast<int>(dtype)];
}

}  // namespace

BinaryLoop AddLoop(DType dtype) { return LoopFor(dtype, kAdd, AddTypes{}, true); }
BinaryLoop SubLoop(DType dtype) { return LoopFor(dtype, kSub, Wrapping{}, true); }
BinaryLoop MulLoop(DType dtype) { return LoopFor(dtype, kMul, Wrapping{}, true); }
BinaryLoop MaximumLoop(DType dtype) { return LoopFor(dtype, kMaximum, RealTypes{}, false); }
BinaryLoop MinimumLoop(DType dtype) { return LoopFor(dtype, kMinimum, RealTypes{}, false); }

void RegisterBinary(KernelRegistry& kernels) {
  AddBinaryTable(kernels, kWrappingTable, kSigned);
  AddBinaryTable(kernels, kTable);
  AddBinaryTable(kernels, kDivisions);
  auto add_truncating = [&](const auto& entry) {
    BinaryOp op = MakeBinaryOp(entry);
    op.failure_code = absl::StatusCode::kInternal;
    AddBinaryOp(kernels, op);
  };
  std::apply([&](const auto&... entry) { (add_truncating(entry), ...); }, kTruncating);
  AddBinaryTable(kernels, kBitwise, kSigned);
  AddBinaryTable(kernels, kShifts);
  AddBinaryTable(kernels, kLogical);
}

}  // namespace sluice::kernels
