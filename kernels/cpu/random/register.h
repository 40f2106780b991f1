// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_RANDOM_REGISTER_H_
#define SLUICE_KERNELS_CPU_RANDOM_REGISTER_H_

#include "core/runtime/kernel_registry.h"

namespace sluice::kernels {

// Enters every kernel of this folder.
void RegisterCpuRandom(KernelRegistry& kernels);

// One function per file, at its end.
void RegisterRandom(KernelRegistry& kernels);
void RegisterIndexShuffle(KernelRegistry& kernels);
void RegisterCandidateSamplers(KernelRegistry& kernels);
void RegisterRandomBounded(KernelRegistry& kernels);
void RegisterRandomGamma(KernelRegistry& kernels);
void RegisterRandomBinomial(KernelRegistry& kernels);
void RegisterStatefulRandom(KernelRegistry& kernels);
void RegisterRandomGammaGrad(KernelRegistry& kernels);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_RANDOM_REGISTER_H_
