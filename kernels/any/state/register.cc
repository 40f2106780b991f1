// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/state/register.h"

namespace sluice::kernels {

void RegisterAnyState(KernelRegistry& kernels) {
  RegisterState(kernels, CpuPrimitives());
  RegisterResourceVariables(kernels, CpuPrimitives());
  RegisterMutexes(kernels);
}

}  // namespace sluice::kernels
