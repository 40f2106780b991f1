// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/debug/register.h"

namespace sluice::kernels {

void RegisterAnyDebug(KernelRegistry& kernels) {
  RegisterDebugOps(kernels);
  RegisterMessages(kernels, kCpu);
}

}  // namespace sluice::kernels
