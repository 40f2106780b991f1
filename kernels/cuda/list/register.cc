// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/list/register.h"

#include "kernels/any/list/register.h"
#include "kernels/cuda/common/primitives.h"

namespace sluice::kernels {

void RegisterCudaList(KernelRegistry& kernels) {
  RegisterTensorLists(kernels, CudaPrimitives());
  RegisterTensorListStacks(kernels, CudaPrimitives());
}

}  // namespace sluice::kernels
