// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/ragged/register.h"

namespace sluice::kernels {

void RegisterAnyRagged(KernelRegistry& kernels) { RegisterRagged(kernels); }

}  // namespace sluice::kernels
