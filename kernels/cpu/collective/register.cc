// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/collective/register.h"

namespace sluice::kernels {

void RegisterCpuCollective(KernelRegistry& kernels) {
  RegisterAllReduce(kernels);
  RegisterAllGather(kernels);
  RegisterBroadcast(kernels);
  RegisterAllToAll(kernels);
  RegisterCommunicator(kernels);
  RegisterAssignGroup(kernels);
}

}  // namespace sluice::kernels
