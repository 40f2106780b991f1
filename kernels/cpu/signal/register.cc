// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/signal/register.h"

namespace sluice::kernels {

void RegisterCpuSignal(KernelRegistry& kernels) {
  RegisterWav(kernels);
  RegisterSpectrograms(kernels);
  RegisterFft(kernels);
}

}  // namespace sluice::kernels
