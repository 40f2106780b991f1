// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_DEBUG_REGISTER_H_
#define SLUICE_KERNELS_CUDA_DEBUG_REGISTER_H_

#include "core/runtime/kernel_registry.h"

namespace sluice::kernels {

// Enters every kernel of this folder.
void RegisterCudaDebug(KernelRegistry& kernels);

// One function per file, at its end.
void RegisterCudaCheckNumerics(KernelRegistry& kernels);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CUDA_DEBUG_REGISTER_H_
