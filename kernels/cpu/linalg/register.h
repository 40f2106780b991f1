// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_LINALG_REGISTER_H_
#define SLUICE_KERNELS_CPU_LINALG_REGISTER_H_

#include "core/runtime/kernel_registry.h"

namespace sluice::kernels {

// Enters every kernel of this folder.
void RegisterCpuLinalg(KernelRegistry& kernels);

// One function per file, at its end.
void RegisterCholesky(KernelRegistry& kernels);
void RegisterLu(KernelRegistry& kernels);
void RegisterTriangularSolve(KernelRegistry& kernels);
void RegisterBandedSolve(KernelRegistry& kernels);
void RegisterEigenvalues(KernelRegistry& kernels);
void RegisterEigenvaluesOfAny(KernelRegistry& kernels);
void RegisterSvd(KernelRegistry& kernels);
void RegisterQr(KernelRegistry& kernels);
void RegisterSolveLs(KernelRegistry& kernels);
void RegisterMatrixFunctions(KernelRegistry& kernels);
void RegisterTridiagonal(KernelRegistry& kernels);
void RegisterEinsum(KernelRegistry& kernels);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_LINALG_REGISTER_H_
