// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_SPARSE_REGISTER_H_
#define SLUICE_KERNELS_CPU_SPARSE_REGISTER_H_

#include "core/runtime/kernel_registry.h"

namespace sluice::kernels {

// Enters every kernel of this folder.
void RegisterCpuSparse(KernelRegistry& kernels);

// One function per file, at its end.
void RegisterSparseSegments(KernelRegistry& kernels);
void RegisterSparseOrder(KernelRegistry& kernels);
void RegisterSparseMath(KernelRegistry& kernels);
void RegisterSparseMatMul(KernelRegistry& kernels);
void RegisterSparseReduce(KernelRegistry& kernels);
void RegisterSets(KernelRegistry& kernels);
void RegisterEditDistance(KernelRegistry& kernels);
void RegisterSparseSerialize(KernelRegistry& kernels);
void RegisterSparseMaps(KernelRegistry& kernels);
void RegisterSparseCross(KernelRegistry& kernels);
void RegisterCsrMatrices(KernelRegistry& kernels);
void RegisterCsrProducts(KernelRegistry& kernels);
void RegisterCsrCholesky(KernelRegistry& kernels);
void RegisterSparseSlice(KernelRegistry& kernels);
void RegisterSparseToDense(KernelRegistry& kernels);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_SPARSE_REGISTER_H_
