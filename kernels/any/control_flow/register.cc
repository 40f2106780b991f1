// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/control_flow/register.h"

namespace sluice::kernels {

void RegisterAnyControlFlow(KernelRegistry& kernels) { RegisterFlow(kernels, kCpu); }

}  // namespace sluice::kernels
