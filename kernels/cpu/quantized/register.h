// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_QUANTIZED_REGISTER_H_
#define SLUICE_KERNELS_CPU_QUANTIZED_REGISTER_H_

#include "core/runtime/kernel_registry.h"

namespace sluice::kernels {

// Enters every kernel of this folder.
void RegisterCpuQuantized(KernelRegistry& kernels);

// One function per file, at its end.
void RegisterFakeQuant(KernelRegistry& kernels);
void RegisterQuantize(KernelRegistry& kernels);
void RegisterQuantizeAndDequantize(KernelRegistry& kernels);
void RegisterQuantizedActivation(KernelRegistry& kernels);
void RegisterQuantizedArithmetic(KernelRegistry& kernels);
void RegisterQuantizedArray(KernelRegistry& kernels);
void RegisterQuantizedConv(KernelRegistry& kernels);
void RegisterQuantizedMatMul(KernelRegistry& kernels);
void RegisterQuantizedNorm(KernelRegistry& kernels);
void RegisterQuantizedPooling(KernelRegistry& kernels);
void RegisterQuantizedResize(KernelRegistry& kernels);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_QUANTIZED_REGISTER_H_
