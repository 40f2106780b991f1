// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_ARRAY_REGISTER_H_
#define SLUICE_KERNELS_CUDA_ARRAY_REGISTER_H_

#include "core/runtime/kernel_registry.h"

namespace sluice::kernels {

// Enters every kernel of this folder, and those of kernels/any/array/ for GPUs.
void RegisterCudaArray(KernelRegistry& kernels);

// One function per file, at its end.
void RegisterCudaPad(KernelRegistry& kernels);
void RegisterCudaOneHot(KernelRegistry& kernels);
void RegisterCudaBandPart(KernelRegistry& kernels);
void RegisterCudaWhere(KernelRegistry& kernels);
void RegisterCudaDynamicPartition(KernelRegistry& kernels);
void RegisterCudaScatterNd(KernelRegistry& kernels);
void RegisterCudaInplace(KernelRegistry& kernels);
void RegisterCudaTileGrad(KernelRegistry& kernels);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CUDA_ARRAY_REGISTER_H_
