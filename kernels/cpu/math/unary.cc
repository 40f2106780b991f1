// Functions of one argument that are cheap: signs, roots, rounding, tests, parts of complex
// numbers, rectifiers.
#include "kernels/cpu/common/loops.h"
#include "kernels/cpu/common/vector_math.h"
#include "kernels/cpu/math/register.h"

namespace sluice::kernels {
namespace {

using Float = FloatingTypes;
using WithComplex = Join<FloatingTypes, ComplexTypes>;
// Signed integers share these loops: their arithmetic wraps.
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

// The constants of Klambauer et al., "Self-Normalizing Neural Networks".
constexpr double kSeluScale = 1.0507009873554804934193349852946;
constexpr double kSeluScaledAlpha = 1.7580993408473768599402175208123;

// exp(x) - 1. TensorFlow takes the difference as it stands, which of half numbers leaves little.
struct ExpMinusOne {
  template <typename T>
  T operator()(T x) const {
    if constexpr (kIsRoundedHalf<T>)
      return std::exp(x) - T(1);
    else
      return T(std::expm1(x));
  }
};

// Comparisons are written so that NaN stays NaN.
constexpr auto kActivations = std::tuple{
    Unary{"Relu", RealTypes{}, []<typename T>(T x) { return x < T(0) ? T(0) : x; }},
    Unary{"Relu6", RealTypes{},
          []<typename T>(T x) { return x < T(0)   ? T(0)
                                       : x > T(6) ? T(6)
                                                  : x; }},
    Unary{"LeakyRelu", Float{},
          RoundsEachStep{[]<typename T>(T x, float alpha) { return x > 0 ? x : x * T(alpha); }},
          kStreamed, "alpha"},
    Unary{"Softsign", Float{},
          RoundsEachStep{[]<typename T>(T x) { return x / (T(1) + std::abs(x)); }}},
    UnaryMath{"Elu", Float{}, RoundsEachStep{[](auto x) { return x < 0 ? ExpMinusOne{}(x) : x; }}},
    UnaryMath{"Selu", Float{}, RoundsEachStep{[]<typename T>(T x) {
                return x < 0 ? T(kSeluScaledAlpha) * ExpMinusOne{}(x) : T(kSeluScale) * x;
              }}},
};

}  // namespace

void RegisterUnary(KernelRegistry& kernels) {
  AddUnaryTable(kernels, kArithmetic);
  AddUnaryTable(kernels, kWrapping, kSigned);
  AddUnaryTable(kernels, kTests);
  AddUnaryTable(kernels, kOfComplex);
  AddUnaryTable(kernels, kActivations);
}

}  // namespace sluice::kernels
