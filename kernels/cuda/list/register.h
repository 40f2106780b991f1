// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_LIST_REGISTER_H_
#define SLUICE_KERNELS_CUDA_LIST_REGISTER_H_

#include "core/runtime/kernel_registry.h"

namespace sluice::kernels {

// Enters the kernels of kernels/any/ for GPUs: lists of tensors.
void RegisterCudaList(KernelRegistry& kernels);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CUDA_LIST_REGISTER_H_
