// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/image/register.h"

namespace sluice::kernels {

void RegisterCudaImage(KernelRegistry& kernels) {
  RegisterCudaCropAndResize(kernels);
  RegisterCudaPatches(kernels);
  RegisterCudaResize(kernels);
}

}  // namespace sluice::kernels
