// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/state/register.h"

#include "kernels/any/state/register.h"
#include "kernels/cuda/common/primitives.h"

namespace sluice::kernels {

void RegisterCudaState(KernelRegistry& kernels) {
  RegisterState(kernels, CudaPrimitives());
  RegisterResourceVariables(kernels, CudaPrimitives());
}

}  // namespace sluice::kernels
