// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/runtime/register.h"

namespace sluice::kernels {

void RegisterAnyRuntime(KernelRegistry& kernels) {
  RegisterSendRecv(kernels, kCpu);
  RegisterArguments(kernels, kCpu);
  RegisterDeviceIndex(kernels);
}

}  // namespace sluice::kernels
