// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_COLLECTIVE_REGISTER_H_
#define SLUICE_KERNELS_CPU_COLLECTIVE_REGISTER_H_

#include "core/runtime/kernel_registry.h"

namespace sluice::kernels {

// Enters every kernel of this folder.
void RegisterCpuCollective(KernelRegistry& kernels);

// One function per file, at its end.
void RegisterAllReduce(KernelRegistry& kernels);
void RegisterAllGather(KernelRegistry& kernels);
void RegisterBroadcast(KernelRegistry& kernels);
void RegisterAllToAll(KernelRegistry& kernels);
void RegisterCommunicator(KernelRegistry& kernels);
void RegisterAssignGroup(KernelRegistry& kernels);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_COLLECTIVE_REGISTER_H_
