// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/list/register.h"

namespace sluice::kernels {

void RegisterAnyList(KernelRegistry& kernels) {
  RegisterTensorLists(kernels);
  RegisterTensorListStacks(kernels);
}

}  // namespace sluice::kernels
