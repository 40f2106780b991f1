// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_DATA_FLOW_REGISTER_H_
#define SLUICE_KERNELS_CUDA_DATA_FLOW_REGISTER_H_

#include "core/runtime/kernel_registry.h"

namespace sluice::kernels {

// Enters the kernels of kernels/any/ for GPUs: TensorArrays, stacks, tensors that a session keeps.
void RegisterCudaDataFlow(KernelRegistry& kernels);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CUDA_DATA_FLOW_REGISTER_H_
