// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/sparse/register.h"

namespace sluice::kernels {

void RegisterCpuSparse(KernelRegistry& kernels) {
  RegisterSparseSegments(kernels);
  RegisterSparseOrder(kernels);
  RegisterSparseMath(kernels);
  RegisterSparseMatMul(kernels);
  RegisterSparseReduce(kernels);
  RegisterSets(kernels);
  RegisterEditDistance(kernels);
  RegisterSparseSerialize(kernels);
  RegisterSparseMaps(kernels);
  RegisterSparseCross(kernels);
  RegisterCsrMatrices(kernels);
  RegisterCsrProducts(kernels);
  RegisterCsrCholesky(kernels);
  RegisterSparseSlice(kernels);
  RegisterSparseToDense(kernels);
}

}  // namespace sluice::kernels
