// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/lookup/register.h"

namespace sluice::kernels {

void RegisterAnyLookup(KernelRegistry& kernels) {
  RegisterNewTables(kernels);
  RegisterTableOps(kernels);
}

}  // namespace sluice::kernels
