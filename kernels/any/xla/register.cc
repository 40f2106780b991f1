// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/xla/register.h"

namespace sluice::kernels {

void RegisterAnyXla(KernelRegistry& kernels) { RegisterClusterOutput(kernels); }

}  // namespace sluice::kernels
