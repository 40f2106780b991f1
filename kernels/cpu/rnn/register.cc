// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/rnn/register.h"

namespace sluice::kernels {

void RegisterCpuRnn(KernelRegistry& kernels) {
  RegisterGru(kernels);
  RegisterLstm(kernels);
}

}  // namespace sluice::kernels
