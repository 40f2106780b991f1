// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_MATH_REGISTER_H_
#define SLUICE_KERNELS_CUDA_MATH_REGISTER_H_

#include "core/runtime/kernel_registry.h"

namespace sluice::kernels {

// Enters every kernel of this folder.
void RegisterCudaMath(KernelRegistry& kernels);

// One function per file, at its end.
void RegisterCudaElementwise(KernelRegistry& kernels);
void RegisterCudaCast(KernelRegistry& kernels);
void RegisterCudaMatMul(KernelRegistry& kernels);
void RegisterCudaSelect(KernelRegistry& kernels);
void RegisterCudaAddN(KernelRegistry& kernels);
void RegisterCudaReductions(KernelRegistry& kernels);
void RegisterCudaScan(KernelRegistry& kernels);
void RegisterCudaSegments(KernelRegistry& kernels);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CUDA_MATH_REGISTER_H_
