// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/linalg/register.h"

namespace sluice::kernels {

void RegisterCpuLinalg(KernelRegistry& kernels) {
  RegisterCholesky(kernels);
  RegisterLu(kernels);
  RegisterTriangularSolve(kernels);
  RegisterBandedSolve(kernels);
  RegisterEigenvalues(kernels);
  RegisterEigenvaluesOfAny(kernels);
  RegisterSvd(kernels);
  RegisterQr(kernels);
  RegisterSolveLs(kernels);
  RegisterMatrixFunctions(kernels);
  RegisterTridiagonal(kernels);
  RegisterEinsum(kernels);
}

}  // namespace sluice::kernels
