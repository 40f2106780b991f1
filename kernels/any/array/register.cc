// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/array/register.h"

namespace sluice::kernels {

void RegisterAnyArray(KernelRegistry& kernels) {
  RegisterIdentity(kernels, kCpu);
  RegisterZerosLikeVariants(kernels);
}

}  // namespace sluice::kernels
