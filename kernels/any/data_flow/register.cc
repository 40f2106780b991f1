// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/data_flow/register.h"

namespace sluice::kernels {

void RegisterAnyDataFlow(KernelRegistry& kernels) {
  RegisterSessionHandles(kernels, CpuPrimitives());
  RegisterTensorArrays(kernels, CpuPrimitives());
  RegisterStacks(kernels, CpuPrimitives());
  RegisterStaging(kernels, kCpu);
  RegisterBatching(kernels);
  RegisterUnbatching(kernels);
  RegisterAccumulators(kernels);
  RegisterBarriers(kernels);
  RegisterQueues(kernels);
}

}  // namespace sluice::kernels
