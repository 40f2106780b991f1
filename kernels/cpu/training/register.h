// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_TRAINING_REGISTER_H_
#define SLUICE_KERNELS_CPU_TRAINING_REGISTER_H_

#include "core/runtime/kernel_registry.h"

namespace sluice::kernels {

// Enters every kernel of this folder.
void RegisterCpuTraining(KernelRegistry& kernels);

// One function per file, at its end.
void RegisterTraining(KernelRegistry& kernels);
void RegisterKmeans(KernelRegistry& kernels);
void RegisterSdcaOptimizer(KernelRegistry& kernels);
void RegisterSdcaOps(KernelRegistry& kernels);
void RegisterFactorization(KernelRegistry& kernels);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_TRAINING_REGISTER_H_
