// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/math/register.h"

namespace sluice::kernels {

void RegisterCpuMath(KernelRegistry& kernels) {
  RegisterMatMul(kernels);
  RegisterUnary(kernels);
  RegisterUnaryMath(kernels);
  RegisterBinary(kernels);
  RegisterBinaryMath(kernels);
  RegisterComparison(kernels);
  RegisterAddN(kernels);
  RegisterSelect(kernels);
  RegisterCast(kernels);
  RegisterScan(kernels);
  RegisterSequence(kernels);
  RegisterReduceSum(kernels);
  RegisterReduceOrder(kernels);
  RegisterArgReduction(kernels);
  RegisterSegments(kernels);
  RegisterBits(kernels);
  RegisterSpecial(kernels);
  RegisterSpecialIntegrals(kernels);
  RegisterUnaryGrad(kernels);
  RegisterHistograms(kernels);
  RegisterRaggedHistograms(kernels);
}

}  // namespace sluice::kernels
