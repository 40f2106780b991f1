// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/functions/register.h"

namespace sluice::kernels {

void RegisterAnyFunctions(KernelRegistry& kernels) {
  RegisterCalls(kernels, kCpu);
  RegisterPyFunc(kernels);
}

}  // namespace sluice::kernels
