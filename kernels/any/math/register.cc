// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/math/register.h"

namespace sluice::kernels {

void RegisterAnyMath(KernelRegistry& kernels) { RegisterAddVariants(kernels); }

}  // namespace sluice::kernels
