// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/data_flow/register.h"

#include "kernels/any/data_flow/register.h"
#include "kernels/cuda/common/primitives.h"

namespace sluice::kernels {

void RegisterCudaDataFlow(KernelRegistry& kernels) {
  RegisterSessionHandles(kernels, CudaPrimitives());
  RegisterTensorArrays(kernels, CudaPrimitives());
  RegisterStacks(kernels, CudaPrimitives());
  RegisterStaging(kernels, kGpu);
}

}  // namespace sluice::kernels
