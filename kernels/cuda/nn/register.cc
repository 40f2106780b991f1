// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/nn/register.h"

namespace sluice::kernels {

void RegisterCudaNn(KernelRegistry& kernels) {
  RegisterCudaActivations(kernels);
  RegisterCudaBias(kernels);
  RegisterCudaInTopK(kernels);
  RegisterCudaSoftmax(kernels);
}

}  // namespace sluice::kernels
