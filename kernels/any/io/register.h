// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_IO_REGISTER_H_
#define SLUICE_KERNELS_ANY_IO_REGISTER_H_

#include "core/runtime/kernel_registry.h"

namespace sluice::kernels {

// Enters every kernel of this folder.
void RegisterAnyIo(KernelRegistry& kernels);

// One function per file, at its end.
void RegisterReaders(KernelRegistry& kernels);
void RegisterRecordInput(KernelRegistry& kernels);
void RegisterFileOps(KernelRegistry& kernels);
void RegisterCheckpoints(KernelRegistry& kernels);
void RegisterOlderCheckpoints(KernelRegistry& kernels);
void RegisterRemapping(KernelRegistry& kernels);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_IO_REGISTER_H_
