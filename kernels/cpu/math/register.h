// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_MATH_REGISTER_H_
#define SLUICE_KERNELS_CPU_MATH_REGISTER_H_

#include "core/runtime/kernel_registry.h"

namespace sluice::kernels {

// Enters every kernel of this folder.
void RegisterCpuMath(KernelRegistry& kernels);

// One function per file, at its end.
void RegisterMatMul(KernelRegistry& kernels);
void RegisterUnary(KernelRegistry& kernels);
void RegisterUnaryMath(KernelRegistry& kernels);
void RegisterBinary(KernelRegistry& kernels);
void RegisterBinaryMath(KernelRegistry& kernels);
void RegisterComparison(KernelRegistry& kernels);
void RegisterAddN(KernelRegistry& kernels);
void RegisterSelect(KernelRegistry& kernels);
void RegisterCast(KernelRegistry& kernels);
void RegisterScan(KernelRegistry& kernels);
void RegisterSequence(KernelRegistry& kernels);
void RegisterReduceSum(KernelRegistry& kernels);
void RegisterReduceOrder(KernelRegistry& kernels);
void RegisterArgReduction(KernelRegistry& kernels);
void RegisterSegments(KernelRegistry& kernels);
void RegisterBits(KernelRegistry& kernels);
void RegisterSpecial(KernelRegistry& kernels);
void RegisterSpecialIntegrals(KernelRegistry& kernels);
void RegisterUnaryGrad(KernelRegistry& kernels);
void RegisterHistograms(KernelRegistry& kernels);
void RegisterRaggedHistograms(KernelRegistry& kernels);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_MATH_REGISTER_H_
