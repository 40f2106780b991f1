// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/random/register.h"

namespace sluice::kernels {

void RegisterCpuRandom(KernelRegistry& kernels) {
  RegisterRandom(kernels);
  RegisterIndexShuffle(kernels);
  RegisterCandidateSamplers(kernels);
  RegisterRandomBounded(kernels);
  RegisterRandomGamma(kernels);
  RegisterRandomBinomial(kernels);
  RegisterStatefulRandom(kernels);
  RegisterRandomGammaGrad(kernels);
}

}  // namespace sluice::kernels
