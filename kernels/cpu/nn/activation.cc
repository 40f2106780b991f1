// SPDX-License-Identifier: Apache-2.0
// Activation functions: rectifiers, softplus, softsign.
#include "kernels/common/nn/activations.h"
#include "kernels/cpu/common/loops.h"
#include "kernels/cpu/common/vector_math.h"
#include "kernels/cpu/nn/register.h"

namespace sluice::kernels {
namespace {

using Float = FloatingTypes;

constexpr auto kActivations = std::tuple{
    Unary{"Relu", RealTypes{}, activations::Relu{}},
    Unary{"Relu6", RealTypes{}, activations::Relu6{}},
    Unary{"LeakyRelu", Float{}, RoundsEachStep{activations::LeakyRelu{}}, kStreamed, "alpha"},
    Unary{"Softsign", Float{}, RoundsEachStep{activations::Softsign{}}},
    UnaryMath{"Elu", Float{}, RoundsEachStep{activations::Elu{}}},
    UnaryMath{"Selu", Float{}, RoundsEachStep{activations::Selu{}}},
    UnaryMath{"Softplus", Float{}, RoundsEachStep{activations::Softplus{}}, 4},
};

}  // namespace

void RegisterActivations(KernelRegistry& kernels) { AddUnaryTable(kernels, kActivations); }

}  // namespace sluice::kernels
