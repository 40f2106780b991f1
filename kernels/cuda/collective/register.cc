// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/collective/register.h"

namespace sluice::kernels {

void RegisterCudaCollective(KernelRegistry& kernels) { RegisterNcclOps(kernels); }

}  // namespace sluice::kernels
