// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_NN_REGISTER_H_
#define SLUICE_KERNELS_CUDA_NN_REGISTER_H_

#include "core/runtime/kernel_registry.h"

namespace sluice::kernels {

// Enters every kernel of this folder.
void RegisterCudaNn(KernelRegistry& kernels);

// One function per file, at its end.
void RegisterCudaActivations(KernelRegistry& kernels);
void RegisterCudaAvgPooling(KernelRegistry& kernels);
void RegisterCudaBatchNorm(KernelRegistry& kernels);
void RegisterCudaBias(KernelRegistry& kernels);
void RegisterCudaConv(KernelRegistry& kernels);  // if cudnn.h is installed
void RegisterCudaDepthwiseConv(KernelRegistry& kernels);
void RegisterCudaInTopK(KernelRegistry& kernels);
void RegisterCudaLrn(KernelRegistry& kernels);
void RegisterCudaMaxPooling(KernelRegistry& kernels);
void RegisterCudaSoftmax(KernelRegistry& kernels);
void RegisterCudaTopK(KernelRegistry& kernels);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CUDA_NN_REGISTER_H_
