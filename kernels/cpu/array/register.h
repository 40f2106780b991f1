// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_ARRAY_REGISTER_H_
#define SLUICE_KERNELS_CPU_ARRAY_REGISTER_H_

#include "core/runtime/kernel_registry.h"

namespace sluice::kernels {

// Enters every kernel of this folder.
void RegisterCpuArray(KernelRegistry& kernels);

// One function per file, at its end.
void RegisterWhere(KernelRegistry& kernels);
void RegisterPad(KernelRegistry& kernels);
void RegisterScatterNd(KernelRegistry& kernels);
void RegisterOneHot(KernelRegistry& kernels);
void RegisterBandPart(KernelRegistry& kernels);
void RegisterUnique(KernelRegistry& kernels);
void RegisterDynamicPartition(KernelRegistry& kernels);
void RegisterSearch(KernelRegistry& kernels);
void RegisterInplace(KernelRegistry& kernels);
void RegisterPeriodicResample(KernelRegistry& kernels);
void RegisterFingerprint(KernelRegistry& kernels);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_ARRAY_REGISTER_H_
