// Gradients of element-wise functions, from the incoming gradient and the function's input or
// output.
#include "kernels/cpu/common/loops.h"
#include "kernels/cpu/common/vector_math.h"
#include "kernels/cpu/nn/register.h"

namespace sluice::kernels {
namespace {

using Float = FloatingTypes;
using WithComplex = Join<FloatingTypes, ComplexTypes>;
constexpr double kSeluScale = 1.0507009873554804934193349852946;
constexpr double kSeluScaledAlpha = 1.7580993408473768599402175208123;

template <typename T>
T Conjugate(T x) {
  if constexpr (internal::kIsComplex<T>)
    return std::conj(x);
  else
    return x;
}

template <typename T, typename Fn>
constexpr auto Grad(const char* name, T types, Fn fn) {
  return Binary{name, types, RoundsEachStep{fn}, 0.7, nullptr, nullptr, true};
}

// Where no gradient comes in none goes out, whatever the slope, which may be infinite there.
template <typename T, typename Fn>
T WhereNotZero(T dy, Fn fn) {
  return dy == T(0) ? T(0) : T(fn());
}

// y is the function's output, dy the gradient. The first two take y as it is: the client conjugates
// it.
constexpr auto kOfOutput = std::tuple{
    Grad("SigmoidGrad", WithComplex{},
         []<typename T>(T y, T dy) {
           return kIsRoundedBfloat16<T> ? dy * y * (T(1) - y) : dy * (y * (T(1) - y));
         }),
    Grad("TanhGrad", WithComplex{}, []<typename T>(T y, T dy) { return dy * (T(1) - y * y); }),
    Grad("SqrtGrad", WithComplex{},
         []<typename T>(T y, T dy) {
           return WhereNotZero(dy, [&] {
             return kIsRoundedHalf<T> ? dy * (T(0.5) / Conjugate(y)) : dy * T(0.5) / Conjugate(y);
           });
         }),
    Grad("RsqrtGrad", WithComplex{},
         []<typename T>(T y, T dy) {
           return WhereNotZero(dy, [&] {
             const T z = Conjugate(y);
             return kIsRoundedHalf<T> ? (dy * z) * (T(-0.5) * (z * z)) : T(-0.5) * dy * (z * z * z);
           });
         }),
    Grad("InvGrad", WithComplex{},
         []<typename T>(T y, T dy) {
           return WhereNotZero(dy, [&] { return -dy * Conjugate(y * y); });
         }),
    Grad("ReciprocalGrad", WithComplex{},
         []<typename T>(T y, T dy) {
           return WhereNotZero(dy, [&] { return -dy * Conjugate(y * y); });
         }),
};

// g is the gradient; x the function's input, y its output.
constexpr auto kRectifiers = std::tuple{
    Binary{"ReluGrad", RealTypes{}, []<typename T>(T g, T x) { return x > T(0) ? g : T(0); }, 0.7,
           nullptr, nullptr, true},
    Binary{"Relu6Grad", RealTypes{},
           []<typename T>(T g, T x) { return x > T(0) && x < T(6) ? g : T(0); }, 0.7, nullptr,
           nullptr, true},
    Grad("EluGrad", Float{}, []<typename T>(T g, T y) { return y < 0 ? g * (y + T(1)) : g; }),
    Grad("SeluGrad", Float{},
         []<typename T>(T g, T y) {
           return y < 0 ? g * (y + T(kSeluScaledAlpha)) : g * T(kSeluScale);
         }),
    Binary{"LeakyReluGrad", Float{}, RoundsEachStep{[]<typename T>(T g, T x, float alpha) {
             return x > 0 ? g : g * T(alpha);
           }},
           0.7, nullptr, "alpha", true},
    Grad("SoftsignGrad", Float{},
         []<typename T>(T g, T x) {
           const T d = T(1) + std::abs(x);
           return g / (d * d);
         }),
    BinaryMath{"SoftplusGrad", Float{},
               RoundsEachStep{[]<typename T>(T g, T x) { return g / (T(1) + std::exp(-x)); }}, 2,
               nullptr, nullptr, true},
};

}  // namespace

void RegisterActivationGrad(KernelRegistry& kernels) {
  AddBinaryTable(kernels, kOfOutput);
  AddBinaryTable(kernels, kRectifiers);
}

}  // namespace sluice::kernels
