// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/nn/register.h"

namespace sluice::kernels {

void RegisterCudaNn(KernelRegistry& kernels) {
  RegisterCudaActivations(kernels);
  RegisterCudaAvgPooling(kernels);
  RegisterCudaBatchNorm(kernels);
  RegisterCudaBias(kernels);
#if __has_include(<cudnn.h>)
  RegisterCudaConv(kernels);
#endif
  RegisterCudaDepthwiseConv(kernels);
  RegisterCudaInTopK(kernels);
  RegisterCudaLrn(kernels);
  RegisterCudaMaxPooling(kernels);
  RegisterCudaSoftmax(kernels);
  RegisterCudaTopK(kernels);
}

}  // namespace sluice::kernels
