// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/list/register.h"

namespace sluice::kernels {

void RegisterAnyList(KernelRegistry& kernels) {
  RegisterTensorLists(kernels, CpuPrimitives());
  RegisterTensorListStacks(kernels, CpuPrimitives());
  RegisterTensorMaps(kernels);
}

}  // namespace sluice::kernels
