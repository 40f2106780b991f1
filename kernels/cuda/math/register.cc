// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/math/register.h"

namespace sluice::kernels {

void RegisterCudaMath(KernelRegistry& kernels) {
  RegisterCudaElementwise(kernels);
  RegisterCudaCast(kernels);
  RegisterCudaMatMul(kernels);
  RegisterCudaSelect(kernels);
  RegisterCudaAddN(kernels);
  RegisterCudaReductions(kernels);
  RegisterCudaScan(kernels);
  RegisterCudaSegments(kernels);
}

}  // namespace sluice::kernels
