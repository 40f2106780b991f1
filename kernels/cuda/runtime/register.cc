// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/runtime/register.h"

#include "kernels/any/control_flow/register.h"
#include "kernels/any/functions/register.h"
#include "kernels/any/runtime/register.h"

namespace sluice::kernels {

void RegisterCudaRuntime(KernelRegistry& kernels) {
  RegisterFlow(kernels, kGpu);
  RegisterSendRecv(kernels, kGpu);
  RegisterArguments(kernels, kGpu);
  RegisterCalls(kernels, kGpu);
}

}  // namespace sluice::kernels
