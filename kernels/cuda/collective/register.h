// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_COLLECTIVE_REGISTER_H_
#define SLUICE_KERNELS_CUDA_COLLECTIVE_REGISTER_H_

#include "core/runtime/kernel_registry.h"

namespace sluice::kernels {

// Enters every kernel of this folder.
void RegisterCudaCollective(KernelRegistry& kernels);

// One function per file, at its end.
void RegisterNcclOps(KernelRegistry& kernels);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CUDA_COLLECTIVE_REGISTER_H_
