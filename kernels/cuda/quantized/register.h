// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_QUANTIZED_REGISTER_H_
#define SLUICE_KERNELS_CUDA_QUANTIZED_REGISTER_H_

#include "core/runtime/kernel_registry.h"

namespace sluice::kernels {

// Enters every kernel of this folder.
void RegisterCudaQuantized(KernelRegistry& kernels);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CUDA_QUANTIZED_REGISTER_H_
