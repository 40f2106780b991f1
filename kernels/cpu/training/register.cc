// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/training/register.h"

namespace sluice::kernels {

void RegisterCpuTraining(KernelRegistry& kernels) {
  RegisterTraining(kernels);
  RegisterKmeans(kernels);
  RegisterSdcaOptimizer(kernels);
  RegisterSdcaOps(kernels);
  RegisterFactorization(kernels);
}

}  // namespace sluice::kernels
