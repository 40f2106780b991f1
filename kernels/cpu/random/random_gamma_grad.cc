// SPDX-License-Identifier: Apache-2.0
// RandomGammaGrad: the derivative of a gamma sample with respect to its shape parameter.
#include "kernels/cpu/common/loops.h"
#include "kernels/cpu/math/special.h"
#include "kernels/cpu/random/register.h"

namespace sluice::kernels {
namespace {

constexpr double kSlow = 200;  // ns

constexpr auto kBinary = std::tuple{
    Binary{"RandomGammaGrad", TypeList<float, double>{},
           []<typename T>(T alpha, T sample) {
             return static_cast<T>(GammaSampleGrad(alpha, sample));
           },
           kSlow},
};

}  // namespace

void RegisterRandomGammaGrad(KernelRegistry& kernels) { AddBinaryTable(kernels, kBinary); }

}  // namespace sluice::kernels
