// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/array/register.h"

namespace sluice::kernels {

void RegisterCpuArray(KernelRegistry& kernels) {
  RegisterWhere(kernels);
  RegisterPad(kernels);
  RegisterScatterNd(kernels);
  RegisterOneHot(kernels);
  RegisterBandPart(kernels);
  RegisterUnique(kernels);
  RegisterDynamicPartition(kernels);
  RegisterSearch(kernels);
  RegisterInplace(kernels);
  RegisterPeriodicResample(kernels);
  RegisterFingerprint(kernels);
}

}  // namespace sluice::kernels
