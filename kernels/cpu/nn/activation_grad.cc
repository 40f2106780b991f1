// SPDX-License-Identifier: Apache-2.0
// Gradients of activation functions, from the incoming gradient and the function's input or output.
#include "kernels/cpu/common/loops.h"
#include "kernels/cpu/common/vector_math.h"
#include "kernels/cpu/nn/register.h"

namespace sluice::kernels {
namespace {

using Float = FloatingTypes;
constexpr double kSeluScale = 1.0507009873554804934193349852946;
constexpr double kSeluScaledAlpha = 1.7580993408473768599402175208123;

template <typename T, typename Fn>
constexpr auto Grad(const char* name, T types, Fn fn) {
  return Binary{name, types, RoundsEachStep{fn}, 0.7, nullptr, nullptr, true};
}

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

void RegisterActivationGrad(KernelRegistry& kernels) { AddBinaryTable(kernels, kRectifiers); }

}  // namespace sluice::kernels
