// SPDX-License-Identifier: Apache-2.0
// Gradients of activation functions, from the incoming gradient and the function's input or output.
#include "kernels/common/nn/activations.h"
#include "kernels/cpu/common/loops.h"
#include "kernels/cpu/common/vector_math.h"
#include "kernels/cpu/nn/register.h"

namespace sluice::kernels {
namespace {

using Float = FloatingTypes;

template <typename T, typename Fn>
constexpr auto Grad(const char* name, T types, Fn fn, const char* parameter = nullptr) {
  return Binary{name, types, fn, 0.7, nullptr, parameter, true};
}

constexpr auto kRectifiers = std::tuple{
    Grad("ReluGrad", RealTypes{}, activations::ReluGrad{}),
    Grad("Relu6Grad", RealTypes{}, activations::Relu6Grad{}),
    Grad("EluGrad", Float{}, RoundsEachStep{activations::EluGrad{}}),
    Grad("SeluGrad", Float{}, RoundsEachStep{activations::SeluGrad{}}),
    Grad("LeakyReluGrad", Float{}, RoundsEachStep{activations::LeakyReluGrad{}}, "alpha"),
    Grad("SoftsignGrad", Float{}, RoundsEachStep{activations::SoftsignGrad{}}),
    BinaryMath{"SoftplusGrad", Float{}, RoundsEachStep{activations::SoftplusGrad{}}, 2, nullptr,
               nullptr, true},
};

}  // namespace

void RegisterActivationGrad(KernelRegistry& kernels) { AddBinaryTable(kernels, kRectifiers); }

}  // namespace sluice::kernels
